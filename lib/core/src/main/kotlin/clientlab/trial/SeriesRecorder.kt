package clientlab.trial

import clientlab.*
import clientlab.probe.*
import org.HdrHistogram.Histogram
import org.HdrHistogram.Recorder
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Records the [Series] of a load on a thread of the harness, from its construction to [stop]. The load tells of each right answer by
 * [answered], which any thread may call.
 *
 * @param server where the delay server listens; the recorder asks it over a control connection of its own.
 * @param times the threads of the client's process; [counters] what its JVM counts, null where it is not this JVM.
 */
internal class SeriesRecorder(
    server: ServerAddress,
    private val times: ThreadTimes = ThreadTimes(),
    private val counters: () -> JvmCounters? = JvmCounters::read,
) : AutoCloseable {
    private class Look(
        val atNanos: Long,
        val cpu: Map<ThreadKind, Double>?,
        val counters: JvmCounters?,
        val connections: Long,
    )

    private class Interval(val from: Look, val to: Look, latencies: Histogram) {
        val answers = latencies.totalCount.toInt()
        val p50Ms = latencies.ms(50.0)
        val p99Ms = latencies.ms(99.0)

        private fun Histogram.ms(percentile: Double): Double? =
            if (totalCount == 0L) null else getValueAtPercentile(percentile) / MICROS_PER_MS
    }

    private val probe = ServerProbe(server)
    private val recorder = Recorder(DIGITS)
    private val intervals = ArrayList<Interval>()
    private var histogram: Histogram? = null
    private var last = look()
    private val began = TimeSource.Monotonic.markNow()
    private val lookout = Lookout("series", LENGTH) { if (began.elapsedNow() >= LENGTH / 2) addTo(null) }

    /** Whether the series is steady by now. It is asked between loads, because to tell takes processor time. */
    val isSteady: Boolean get() = series().isSteady()

    /** A right answer came after [nanos]. */
    fun answered(nanos: Long) = recorder.recordValue(nanos.coerceAtLeast(0) / NANOS_PER_MICRO)

    /** The series so far. */
    @Synchronized
    fun series(): Series = Series(
        seconds = intervals.map { rounded((it.to.atNanos - it.from.atNanos) / 1e9) },
        answers = intervals.map { it.answers },
        p50Ms = intervals.map { it.p50Ms },
        p99Ms = intervals.map { it.p99Ms },
        cpuMs = ThreadKind.entries.mapNotNull { kind -> column(kind)?.let { kind.label to it } }.toMap(),
        allocatedKb = intervals.map { grown(it) { allocatedBytes }?.div(BYTES_PER_KB) },
        collections = intervals.map { grown(it) { collections }?.toInt() },
        classesLoaded = intervals.map { grown(it) { classesLoaded }?.toInt() },
        compiledMethods = intervals.map { it.to.counters?.compiledMethods?.toInt() },
        connectionsOpened = intervals.map { (it.to.connections - it.from.connections).toInt() },
    )

    /** Ends the last interval, which is shorter, or a little longer where a few moments were left, and returns the series. */
    fun stop(): Series {
        lookout.close()
        if (System.nanoTime() - last.atNanos >= SHORTEST.inWholeNanoseconds) addTo(null) else addTo(intervals.removeLastOrNull())
        close()
        return series()
    }

    override fun close() {
        lookout.close()
        probe.close()
    }

    /** Ends the interval now. It has what came since the last look, and all of [before] where that is given. */
    @Synchronized
    private fun addTo(before: Interval?) {
        val now = look()
        val counted = recorder.getIntervalHistogram(if (before == null) histogram else null)
        if (before != null) histogram?.let(counted::add)
        histogram = counted
        intervals += Interval(before?.from ?: last, now, counted)
        last = now
    }

    private fun look() = Look(System.nanoTime(), times.read(), counters(), probe.evidence().connectionsOpened)

    private fun column(kind: ThreadKind): List<Double>? = intervals
        .map { rounded(((it.to.cpu ?: return null).getValue(kind) - (it.from.cpu ?: return null).getValue(kind)) * 1e3) }

    private fun grown(interval: Interval, value: JvmCounters.() -> Long): Long? =
        interval.to.counters?.let { it.value() - (interval.from.counters?.value() ?: return null) }

    private companion object {
        private const val DIGITS = 3
        private const val NANOS_PER_MICRO = 1_000L
        private const val MICROS_PER_MS = 1e3
        private const val BYTES_PER_KB = 1_000L
        private val LENGTH: Duration = 500.milliseconds
        private val SHORTEST: Duration = 100.milliseconds

        /** Three decimals, because a journal line holds hundreds of these numbers. */
        private fun rounded(value: Double) = Math.round(value * 1e3) / 1e3
    }
}

/**
 * Repeats [load] until the series is steady, until [budget] has passed, or until it is [over]. Returns whether it is steady. Short loads
 * follow each other for some seconds before the series is asked, because to tell takes processor time that the load should have.
 */
internal fun SeriesRecorder.warmUp(budget: Duration, over: () -> Boolean = { false }, load: () -> Unit): Boolean {
    val began = TimeSource.Monotonic.markNow()
    var steady = isSteady
    while (!steady && began.elapsedNow() < budget && !over()) {
        val asked = began.elapsedNow()
        do load() while (began.elapsedNow() < minOf(asked + BETWEEN_LOOKS, budget) && !over())
        steady = isSteady
    }
    return steady
}

/** A little less than the five seconds of an open loop's load, which must not be sent twice because it ended a moment early. */
private val BETWEEN_LOOKS = 4.seconds
