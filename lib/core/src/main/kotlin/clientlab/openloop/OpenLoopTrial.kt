package clientlab.openloop

import clientlab.*
import clientlab.client.*
import clientlab.machine.*
import clientlab.probe.*
import clientlab.trial.*
import org.HdrHistogram.Histogram
import java.util.Locale
import kotlin.time.Duration.Companion.seconds

/**
 * One trial of [OpenLoop], in this JVM: two loads to warm up, then the one that is measured, through one session. Latencies are kept in
 * [HdrHistogram](https://hdrhistogram.github.io/HdrHistogram/), in microseconds to three digits. A request without a right answer counts as
 * the patience, because it took at least that long.
 */
internal class OpenLoopTrial(private val scope: TrialScope, private val load: OpenLoop) {
    private val spec = scope.spec
    private val rate = scope.number(Factor.RATE)
    private val delayMs = spec.treatment.number(Factor.DELAY_MS)
    private val closed = spec.treatment[Factor.LOOP] == Loop.Closed.label
    private val isPoisson = spec.treatment[Factor.ARRIVALS] == "poisson"

    fun run() {
        val most = if (closed) load.callers else OpenLoop.MOST_UNDER_WAY
        scope.client().open(Conditions(spec.server.url(scope.protocol), most, scope.protocol)).use { session ->
            val late = PriorityThread.run("${ThreadOwners.HARNESS_PREFIX}calibration") { Calibration.timerOvershootNanos() }
            // A longer spin takes processor time from the client on a machine with few cores.
            val spin = late.coerceIn(LEAST_SPIN_NANOS, MOST_SPIN_NANOS).coerceAtMost(1.seconds.inWholeNanoseconds / rate / SPIN_SHARE)

            fun callers(plan: LongArray, pause: Pause? = null) = CallerLoop(session, plan, load.patience, spin) { path(pause, it) }
            val warmUp = callers(Schedule.arrivals(WARM_UP_RATE, load.warmUp / 2, null)).closed(load.callers)
            callers(Schedule.arrivals(rate, load.warmUp / 2, null)).byLoop()
            System.gc()
            scope.server.reset()
            val measured = callers(Schedule.arrivals(rate, load.seconds.seconds, (load.seed + spec.round).takeIf { isPoisson }), load.pause)
            val (result, work) = Work.measure { measured.byLoop() }
            scope.keep(trial(warmUp, result, scope.server.evidence(), work.cpuSeconds - result.generatorCpuSeconds))
        }
    }

    private fun CallerLoop.byLoop() = if (closed) closed(load.callers) else open()

    private fun path(pause: Pause?, number: Int): String {
        if (pause == null) return delayPath(delayMs, number)
        return "/delay?delay=stalls(${delayMs}ms,${pause.length.inWholeMilliseconds}ms,${pause.every.inWholeMilliseconds}ms)&a=$number"
    }

    private fun trial(warmUp: CallerResult, result: CallerResult, evidence: Evidence, cpuSeconds: Double): Trial {
        val planned = histogram(result, result.planned)
        val fromSent = histogram(result, result.sent)
        val lag = msBetween(result.planned, result.fired)
        val judgement = Judgement.of(wrong(warmUp, result, evidence, planned, lag), listOfNotNull(late(lag)))
        val requestCpuMs = cpuSeconds * 1e3 / result.answered.coerceAtLeast(1)
        val costs = mapOf(CommonMetrics.cpuSeconds to cpuSeconds, CommonMetrics.requestCpuMs to requestCpuMs)
        return scope
            .trial(judgement, numbers(result, evidence, planned, fromSent, lag) + costs, evidence)
            .copy(errors = result.errors, curves = mapOf("latencyMs" to curve(planned), "sentLatencyMs" to curve(fromSent)))
    }

    private fun numbers(result: CallerResult, evidence: Evidence, planned: Histogram, fromSent: Histogram, lag: DoubleArray): Numbers =
        buildMap {
            tell(CommonMetrics.requests, result.planned.size)
            tell(CommonMetrics.failed, result.errors.values.sum())
            tell(OpenLoopMetrics.neverSent, result.neverSent)
            tell(CommonMetrics.answeredShare, result.answered.toDouble() / result.planned.size)
            tell(CommonMetrics.latencyP50Ms, planned.atPercentile(50.0))
            tell(CommonMetrics.latencyP99Ms, planned.atPercentile(99.0))
            tell(OpenLoopMetrics.latencyP999Ms, planned.atPercentile(99.9))
            tell(CommonMetrics.latencyMaxMs, planned.maxValue / 1e3)
            tell(CommonMetrics.sentLatencyP50Ms, fromSent.atPercentile(50.0))
            tell(CommonMetrics.sentLatencyP99Ms, fromSent.atPercentile(99.0))
            tell(OpenLoopMetrics.generatorLagP99Ms, nearestRank(lag, P99))
            tell(CommonMetrics.sendLagP99Ms, nearestRank(msBetween(result.planned, result.sent), P99))
            tell(CommonMetrics.inFlightPeak, evidence.peakInFlight)
            tellConnections(evidence)
            tell(CommonMetrics.tlsHandshakes, evidence.tlsHandshakes)
            tell(CommonMetrics.requestsPerSecond, result.answered / (result.done.max().coerceAtLeast(1) / 1e9))
        }

    /** Latencies from [began], in microseconds. A closed loop lacks the requests that it never sent; that is its error. */
    private fun histogram(result: CallerResult, began: LongArray): Histogram {
        val histogram = Histogram(DIGITS).apply { isAutoResize = true }
        for (number in result.planned.indices.filter { result.fired[it] >= 0 }) {
            val micros = if (result.done[number] < 0) load.patience.inWholeMicroseconds else (result.done[number] - began[number]) / 1_000
            histogram.recordValue(micros)
        }
        return histogram
    }

    private fun wrong(warmUp: CallerResult, result: CallerResult, evidence: Evidence, planned: Histogram, lag: DoubleArray): List<String> =
        reasons(evidence) {
            val took = planned.atPercentile(P99 * 100)
            add(warmUp.answered == 0) { "The warm-up was not answered at all. The first failure: ${warmUp.example ?: "none came back"}." }
            add(lag.isEmpty()) { "No request was sent." }
            add(lag.isNotEmpty() && nearestRank(lag, P99) > maxOf(MOST_LAG_MS, took * MOST_LAG_SHARE)) {
                val late = "%.1f ms late, and 1 %% took more than %.1f ms".format(Locale.ROOT, nearestRank(lag, P99), took)
                "The generator was the limit: for 1 % of the requests its thread was more than $late."
            }
            answeredEarly()
            rejected()
            answeredFewer(result.answered)
        }

    private fun late(lag: DoubleArray): String? {
        val lateMs = if (lag.isEmpty()) return null else nearestRank(lag, P99)
        if (lateMs <= LAG_MS) return null
        val late = "%.1f".format(Locale.ROOT, lateMs)
        return "The generator's thread was more than $late ms late for 1 % of the requests: it begins to be the limit itself."
    }

    private fun curve(histogram: Histogram): List<List<Double>> = SHARES.map { listOf(it, histogram.atPercentile(it * 100)) }

    private fun Histogram.atPercentile(percentile: Double) = getValueAtPercentile(percentile) / 1e3

    private companion object {
        private const val DIGITS = 3
        private const val P99 = 0.99
        private const val LAG_MS = 1.0

        /** Linux's timers have a slack of 50 microseconds. */
        private const val LEAST_SPIN_NANOS = 120_000L
        private const val MOST_SPIN_NANOS = 3_000_000L
        private const val SPIN_SHARE = 10
        private const val MOST_LAG_MS = 50.0

        /** If callers wait for seconds, a collection that stops the generator for 60 ms does not matter. */
        private const val MOST_LAG_SHARE = 0.1

        /** More than the warm-up's callers can send, because they wait for their answers. */
        private const val WARM_UP_RATE = 4_000

        /** Steps of one in a hundred, and of one in a thousand in the tail. */
        private val SHARES = (0..94).map { it / 100.0 } + (950..999).map { it / 1_000.0 } + 0.9999
    }
}
