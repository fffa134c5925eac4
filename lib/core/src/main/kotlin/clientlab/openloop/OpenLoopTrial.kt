package clientlab.openloop

import clientlab.*
import clientlab.client.*
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
    private val start = Start.of(spec.treatment)
    private val isPoisson = spec.treatment[Factor.ARRIVALS] == "poisson"

    fun run() {
        val most = if (closed) load.callers else CallerLoop.MOST_UNDER_WAY
        scope.client().open(Conditions(spec.server.url(scope.protocol), most, scope.protocol)).use { session ->
            val spin = SpinTime().nanos(rate)

            fun callers(plan: LongArray, recorder: SeriesRecorder? = null, pause: Pause? = null) =
                CallerLoop(session, plan, load.patience, spin, recorder = recorder) { path(pause, it) }
            val warmUp = warmUp(::callers)
            System.gc()
            scope.server.reset()
            val plan = Schedule.arrivals(rate, load.seconds.seconds, (load.seed + spec.round).takeIf { isPoisson })
            SeriesRecorder(spec.server).use { recorder ->
                val (result, work) = Work.measure { callers(plan, recorder, load.pause).byLoop() }
                scope.keep(trial(warmUp, result, scope.server.evidence(), work, recorder.stop()))
            }
        }
    }

    /** By turns first, so that a slow client is not overloaded; then by the load itself, at its own rate. */
    private fun warmUp(callers: (LongArray, SeriesRecorder?) -> CallerLoop): LoadWarmUp {
        if (start == Start.Cold) return LoadWarmUp()
        val byTurns = callers(Schedule.arrivals(WARM_UP_RATE, load.warmUp / 2, null), null).closed(load.callers)
        val failure = if (byTurns.answered > 0) null else byTurns.example ?: "none came back"
        SeriesRecorder(spec.server).use { recorder ->
            if (start == Start.Warm) {
                callers(Schedule.arrivals(rate, load.warmUp / 2, null), recorder).byLoop()
                return LoadWarmUp(recorder.stop(), steady = null, failure)
            }
            val steady = recorder.warmUp(load.steadyWithin) { callers(Schedule.arrivals(rate, STEP, null), recorder).byLoop() }
            return LoadWarmUp(recorder.stop(), steady, failure)
        }
    }

    private fun CallerLoop.byLoop() = if (closed) closed(load.callers) else open()

    private fun path(pause: Pause?, number: Int): String {
        if (pause == null) return delayPath(delayMs, number)
        return "/delay?delay=stalls(${delayMs}ms,${pause.length.inWholeMilliseconds}ms,${pause.every.inWholeMilliseconds}ms)&a=$number"
    }

    private fun trial(warmUp: LoadWarmUp, result: CallerResult, evidence: Evidence, work: Work, measured: Series): Trial {
        val planned = histogram(result, result.planned)
        val fromSent = histogram(result, result.sent)
        val lag = msBetween(result.planned, result.fired)
        val series = warmUp.series.before(measured).judged()
        val warnings = listOfNotNull(late(lag)) + warmUp.warnings(load.steadyWithin)
        val judgement = Judgement.of(wrong(warmUp, result, evidence, planned, lag), warnings)
        val costs = buildMap {
            tell(CommonMetrics.cpuSeconds, work.cpuSeconds - result.generatorCpuSeconds)
            tell(CommonMetrics.requestCpuMs, clientSeconds(work, result) * 1e3 / result.answered.coerceAtLeast(1))
            tell(CommonMetrics.requestAllocatedBytes, work.allocatedBytes.toDouble() / result.answered.coerceAtLeast(1))
            tell(OpenLoopMetrics.generatorShare, result.generatorCpuSeconds / (result.done.max().coerceAtLeast(1) / 1e9))
            tellKinds(work)
            putAll(warmUp.numbers())
        }
        return scope
            .trial(judgement, numbers(result, evidence, planned, fromSent, lag) + costs, evidence)
            .copy(errors = result.errors, curves = mapOf("latencyMs" to curve(planned), "sentLatencyMs" to curve(fromSent)))
            .copy(series = series)
    }

    /** Where the system does not tell threads apart, the whole process without the generator. */
    private fun clientSeconds(work: Work, result: CallerResult): Double =
        if (work.kinds == null) work.cpuSeconds - result.generatorCpuSeconds else work.clientCpuSeconds

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

    private fun wrong(warmUp: LoadWarmUp, result: CallerResult, evidence: Evidence, planned: Histogram, lag: DoubleArray): List<String> =
        reasons(evidence) {
            val took = planned.atPercentile(P99 * 100)
            add(warmUp.failure != null) { "The warm-up was not answered at all. The first failure: ${warmUp.failure}." }
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

        /** The load that warms up until its series is steady comes in steps of this length. */
        private val STEP = 5.seconds

        private const val MOST_LAG_MS = 50.0

        /** If callers wait for seconds, a collection that stops the generator for 60 ms does not matter. */
        private const val MOST_LAG_SHARE = 0.1

        /** More than the warm-up's callers can send, because they wait for their answers. */
        private const val WARM_UP_RATE = 4_000

        /** Steps of one in a hundred, and of one in a thousand in the tail. */
        private val SHARES = (0..94).map { it / 100.0 } + (950..999).map { it / 1_000.0 } + 0.9999
    }
}
