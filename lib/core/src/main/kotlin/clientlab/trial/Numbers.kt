package clientlab.trial

import clientlab.*
import clientlab.probe.*

/** What a trial measured: a number for each metric that could be taken. */
internal typealias Numbers = Map<Metric, Double>

/** Adds [value] as [metric], or nothing where it is null: a number that could not be taken is missing. */
internal fun MutableMap<Metric, Double>.tell(metric: Metric, value: Number?) {
    if (value != null) put(metric, value.toDouble())
}

/** Adds median, 99th percentile and maximum of the latencies [ascendingMs], or nothing where there are none. */
internal fun MutableMap<Metric, Double>.tellLatencies(ascendingMs: DoubleArray) {
    if (ascendingMs.isEmpty()) return
    put(CommonMetrics.latencyP50Ms, nearestRank(ascendingMs, 0.50))
    put(CommonMetrics.latencyP99Ms, nearestRank(ascendingMs, 0.99))
    put(CommonMetrics.latencyMaxMs, ascendingMs.last())
}

/**
 * What this process took for a piece of work, read just [before] it and just [after] it.
 *
 * @property kinds processor time in seconds by kind of thread; null where the system does not give it.
 */
internal class Work(val before: ProcessReading, val after: ProcessReading, val kinds: Map<ThreadKind, Double>? = null) {
    val cpuSeconds: Double get() = after.cpuSeconds - before.cpuSeconds

    /** Of the client's threads alone, or of the whole process where the system does not tell them apart. */
    val clientCpuSeconds: Double get() = kinds?.get(ThreadKind.Client) ?: cpuSeconds
    val allocatedBytes: Long get() = after.allocatedBytes - before.allocatedBytes
    val pageFaults: Long? get() = after.pageFaults?.minus(before.pageFaults ?: 0)

    companion object {
        /** Does [work] and returns its result with what it took. */
        inline fun <T> measure(work: () -> T): Pair<T, Work> {
            val watch = WorkWatch()
            val result = work()
            return result to watch.finish()
        }
    }
}

/** Reads what this process takes from its construction to [finish]. */
internal class WorkWatch {
    private val times = ThreadTimes()
    private val kinds = times.read()
    val before: ProcessReading = ProcessProbe.read()

    fun finish(): Work {
        val after = ProcessProbe.read()
        val now = times.read()
        return Work(before, after, kinds?.let { began -> now?.mapValues { (kind, seconds) -> seconds - began.getValue(kind) } })
    }
}

/** Adds the processor time of [work] by kind of thread, or nothing where the system does not give it. */
internal fun MutableMap<Metric, Double>.tellKinds(work: Work) {
    work.kinds?.forEach { (kind, seconds) -> put(CommonMetrics.cpuByKind.getValue(kind), seconds) }
}

/** Adds processor time and allocated bytes of [work], without what the probes' own threads took. */
internal fun MutableMap<Metric, Double>.tellWork(work: Work, probesCpuSeconds: Double = 0.0, probesAllocatedBytes: Long = 0) {
    put(CommonMetrics.cpuSeconds, work.cpuSeconds - probesCpuSeconds)
    tellKinds(work)
    put(CommonMetrics.allocatedBytes, (work.allocatedBytes - probesAllocatedBytes).toDouble())
}
