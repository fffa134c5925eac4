package clientlab.capacity

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One load of [level], and whether it met the criterion.
 *
 * @property latenciesMs of the requests that count, from their planned time, ascending; one without a right answer has the patience.
 * @property share of them, those that were answered rightly.
 * @property work what this process took for the whole load.
 */
internal class LoadProbe(
    override val level: Int,
    override val passed: Boolean?,
    val latenciesMs: DoubleArray,
    val share: Double,
    val result: CallerResult,
    val evidence: Evidence,
    val work: Work,
) : Probe {
    val p99Ms: Double get() = nearestRank(latenciesMs, P99)

    /** How late the generator passed a request on, at the 99th percentile. */
    val generatorLagMs: Double get() = nearestRank(msBetween(result.planned, result.fired), P99)
    val requestCpuMs: Double? get() = if (result.answered > 0) work.clientCpuSeconds * 1e3 / result.answered else null
}

/** Puts loads of any level on one [session], one after the other. */
internal class LoadProbes(private val scope: TrialScope, private val session: Session, private val workload: Capacity) {
    private val server = scope.server
    private val byRate = workload.by == SearchFor.Rate
    private val spin = SpinTime()
    private val p99Ms = workload.p99.inWholeMicroseconds / 1e3

    /** Whether requests of a probe were still in flight when the next one had to begin. */
    var leaked: Boolean = false
        private set

    /**
     * Warms the session up as an open loop does: for one half callers take turns as fast as they get answers, then the first load is sent,
     * which opens connections and threads. A fork that is to be steady gets the first load until its series is.
     */
    fun warm(): LoadWarmUp {
        val half = workload.warmUp / 2
        val turns = callers(Schedule.arrivals(WARM_UP_RATE, half, null), WARM_UP_RATE, WARM_UP_DELAY).closed(WARM_UP_CALLERS)
        val failure = if (turns.answered > 0) null else turns.example ?: "none came back"
        SeriesRecorder(scope.spec.server).use { recorder ->
            val from = workload.from
            if (Start.of(scope.treatment) == Start.Warm) {
                callers(plan(from, half), from, recorder = recorder).open()
                return LoadWarmUp(recorder.stop(), steady = null, failure)
            }
            val steady = recorder.warmUp(workload.steadyWithin) { callers(plan(from, STEP), from, recorder = recorder).open() }
            return LoadWarmUp(recorder.stop(), steady, failure)
        }
    }

    /** Waits until nothing of the previous load is left, and then tries [level] for [length], if it is a rate. */
    fun at(level: Int, length: Duration = workload.probeLength): LoadProbe {
        if (!drained()) leaked = true
        // A full collection takes what an overload left behind. Every probe begins after one, so repeats are alike.
        System.gc()
        server.reset()
        val (result, work) = Work.measure { callers(plan(level, length), level).open() }
        return judged(level, length, result, server.evidence(), work)
    }

    private fun callers(plan: LongArray, level: Int, delay: Duration = workload.delay, recorder: SeriesRecorder? = null) =
        CallerLoop(session, plan, workload.patience, spin.nanos(if (byRate) level else 1), workload.mostInFlight, recorder) {
            delayPath(delay.inWholeMilliseconds, it)
        }

    private fun plan(level: Int, length: Duration) = if (byRate) Schedule.arrivals(level, length, null) else LongArray(level)

    private fun judged(level: Int, length: Duration, result: CallerResult, evidence: Evidence, work: Work): LoadProbe {
        val settling = if (byRate) (length / SETTLING_PART).inWholeNanoseconds else 0
        val counted = result.planned.indices.filter { result.planned[it] >= settling }
        val share = counted.count { result.done[it] >= 0 } / counted.size.toDouble()
        val latencies = latencies(result, counted, result.planned)
        val answered = share >= workload.answeredShare && (byRate || evidence.peakInFlight >= level)
        val passed = when {
            answered && nearestRank(latencies, P99) <= p99Ms -> true
            answered && isGeneratorTheLimit(result, counted) -> null
            else -> false
        }
        return LoadProbe(level, passed, latencies, share, result, evidence, work)
    }

    /**
     * Whether the generator may have made a probe fail. What it owes it sends at once, which delays an answer by as much again as the
     * generator is late. If answers take even longer from when it passed the requests on, the client is the limit.
     */
    private fun isGeneratorTheLimit(result: CallerResult, counted: List<Int>): Boolean {
        val lateMs = nearestRank(msBetween(result.planned, result.fired), P99)
        return nearestRank(latencies(result, counted, result.fired), P99) <= p99Ms + lateMs
    }

    private fun latencies(result: CallerResult, counted: List<Int>, began: LongArray): DoubleArray =
        DoubleArray(counted.size) { place ->
            val number = counted[place]
            if (result.done[number] < 0) workload.patience.inWholeMilliseconds.toDouble() else (result.done[number] - began[number]) / 1e6
        }.apply { sort() }

    /** Waits until the server has no request in flight and none arrives; false if that takes too long. */
    private fun drained(): Boolean {
        val until = TimeSource.Monotonic.markNow() + DRAIN
        var before = server.evidence()
        while (until.hasNotPassedNow()) {
            Thread.sleep(LOOK.inWholeMilliseconds)
            val now = server.evidence()
            if (now.inFlight == 0L && now.arrived == before.arrived) return true
            before = now
        }
        return false
    }

    private companion object {
        private val STEP = 5.seconds
        private val DRAIN = 5.seconds
        private val LOOK = 20.milliseconds
        private const val SETTLING_PART = 4
        private const val WARM_UP_CALLERS = 20
        private val WARM_UP_DELAY = 5.milliseconds

        /** More than the warm-up's callers can send, because they wait for their answers. */
        private const val WARM_UP_RATE = 4_000
    }
}

private const val P99 = 0.99
