package clientlab.trial

import clientlab.*
import clientlab.probe.*

/** What this process took for a piece of work, read just [before] it and just [after] it. */
internal class Work(val before: ProcessReading, val after: ProcessReading) {
    val cpuSeconds: Double get() = after.cpuSeconds - before.cpuSeconds
    val allocatedBytes: Long get() = after.allocatedBytes - before.allocatedBytes
    val pageFaults: Long? get() = after.pageFaults?.minus(before.pageFaults ?: 0)

    companion object {
        /** Does [work] and returns its result with what it took. */
        inline fun <T> measure(work: () -> T): Pair<T, Work> {
            val before = ProcessProbe.read()
            val result = work()
            return result to Work(before, ProcessProbe.read())
        }
    }
}

/** Adds processor time and allocated bytes of [work], without what the probes' own threads took. */
internal fun MutableMap<Metric, Double>.tellWork(work: Work, probesCpuSeconds: Double = 0.0, probesAllocatedBytes: Long = 0) {
    put(CommonMetrics.cpuSeconds, work.cpuSeconds - probesCpuSeconds)
    put(CommonMetrics.allocatedBytes, (work.allocatedBytes - probesAllocatedBytes).toDouble())
}
