package clientlab.openloop

import clientlab.Evidence
import clientlab.Factor
import clientlab.Outcome
import clientlab.Schedule
import clientlab.Trial
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.machine.Calibration
import clientlab.nearestRank
import clientlab.probe.ProcessProbe
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadOwners
import clientlab.trial.TrialSpec
import clientlab.trial.after
import org.HdrHistogram.Histogram
import java.util.Locale
import kotlin.time.Duration.Companion.seconds

/**
 * One trial of [OpenLoop], in this JVM: two loads to warm up, then the one that is measured, through one session.
 *
 * Latencies are kept in [HdrHistogram](https://hdrhistogram.github.io/HdrHistogram/), in microseconds to three digits. A request without a
 * right answer counts as the patience, for it took at least that.
 */
internal class OpenLoopTrial(
    private val spec: TrialSpec,
    private val load: OpenLoop,
    private val client: Client,
    private val server: ServerProbe,
) {
    private val rate = spec.treatment.number(Factor.RATE).toInt()
    private val delayMs = spec.treatment.number(Factor.DELAY_MS)
    private val closed = spec.treatment[Factor.LOOP] == Loop.Closed.label
    private val isPoisson = spec.treatment[Factor.ARRIVALS] == "poisson"

    fun run(keep: (Trial) -> Unit) {
        val most = if (closed) load.callers else OpenLoop.MOST_UNDER_WAY
        client.open(Conditions(spec.server.baseUrl, most)).use { session ->
            val late = PriorityThread.run("${ThreadOwners.HARNESS_PREFIX}calibration") { Calibration.timerOvershootNanos() }
            // For a tenth of the time between two requests at most: more is missing where generator and client share few cores.
            val spin = late.coerceIn(LEAST_SPIN_NANOS, MOST_SPIN_NANOS).coerceAtMost(1.seconds.inWholeNanoseconds / rate / SPIN_SHARE)

            fun callers(plan: LongArray, pause: Pause? = null) =
                CallerLoop(session, plan, load.patience, spin) { pausedPath(delayMs, pause, it) }
            val warmUp = callers(Schedule.arrivals(WARM_UP_RATE, load.warmUp / 2, null)).closed(load.callers)
            callers(Schedule.arrivals(rate, load.warmUp / 2, null)).byLoop()
            System.gc()
            server.reset()
            val measured = callers(Schedule.arrivals(rate, load.seconds.seconds, (load.seed + spec.round).takeIf { isPoisson }), load.pause)
            val before = ProcessProbe.read()
            val result = measured.byLoop()
            val after = ProcessProbe.read()
            val evidence = server.evidence()
            keep(trial(warmUp, result, evidence, after.cpuSeconds - before.cpuSeconds - result.generatorCpuSeconds))
        }
    }

    private fun CallerLoop.byLoop() = if (closed) closed(load.callers) else open()

    private fun trial(warmUp: CallerResult, result: CallerResult, evidence: Evidence, cpuSeconds: Double): Trial {
        val planned = histogram(result, result.planned)
        val fromSent = histogram(result, result.sent)
        val lag = lateness(result.fired, result.planned)
        val wrong = wrong(warmUp, result, evidence, planned, lag)
        return Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = spec.treatment,
            warmup = false,
            outcome = if (wrong.isEmpty()) Outcome.Complete else Outcome.Invalid,
            reasons = wrong,
            warnings = listOfNotNull(late(lag)),
            metrics =
                buildMap {
                    put("requests", result.planned.size.toDouble())
                    put(
                        "failed",
                        result.errors.values
                            .sum()
                            .toDouble(),
                    )
                    put("neverSent", result.neverSent.toDouble())
                    put("answeredShare", result.answered.toDouble() / result.planned.size)
                    put("requestsPerSecond", result.answered / (result.done.max().coerceAtLeast(1) / 1e9))
                    put("latencyP50Ms", planned.atPercentile(50.0))
                    put("latencyP99Ms", planned.atPercentile(99.0))
                    put("latencyP999Ms", planned.atPercentile(99.9))
                    put("latencyMaxMs", planned.maxValue / 1e3)
                    put("sentLatencyP50Ms", fromSent.atPercentile(50.0))
                    put("sentLatencyP99Ms", fromSent.atPercentile(99.0))
                    put("generatorLagP99Ms", nearestRank(lag, P99))
                    put("sendLagP99Ms", nearestRank(lateness(result.sent, result.planned), P99))
                    put("inFlightPeak", evidence.peakInFlight.toDouble())
                    put("connectionsOpened", evidence.connectionsOpened.toDouble())
                    put("cpuSeconds", cpuSeconds)
                    put("requestCpuMs", cpuSeconds * 1e3 / result.answered.coerceAtLeast(1))
                },
            errors = result.errors,
            evidence = evidence,
            curves = mapOf("latencyMs" to curve(planned), "sentLatencyMs" to curve(fromSent)),
        )
    }

    /**
     * Latencies from [began], in microseconds. In a closed loop a request that was never sent is in neither: that is what is wrong with it.
     */
    private fun histogram(result: CallerResult, began: LongArray): Histogram {
        val histogram = Histogram(DIGITS).apply { isAutoResize = true }
        for (number in result.planned.indices) {
            if (result.fired[number] < 0) continue
            val micros = if (result.done[number] < 0) load.patience.inWholeMicroseconds else (result.done[number] - began[number]) / 1_000
            histogram.recordValue(micros)
        }
        return histogram
    }

    private fun lateness(really: LongArray, planned: LongArray): DoubleArray =
        planned.indices
            .filter { really[it] >= 0 }
            .map { (really[it] - planned[it]) / 1e6 }
            .toDoubleArray()
            .apply { sort() }

    private fun wrong(
        warmUp: CallerResult,
        result: CallerResult,
        evidence: Evidence,
        planned: Histogram,
        lag: DoubleArray,
    ): List<String> =
        buildList {
            val took = planned.atPercentile(P99 * 100)
            if (warmUp.answered == 0) add("The warm-up was not answered at all. The first failure: ${warmUp.example ?: "none came back"}.")
            if (lag.isEmpty()) {
                add("No request was sent.")
            } else if (nearestRank(lag, P99) > maxOf(MOST_LAG_MS, took * MOST_LAG_SHARE)) {
                val late = "%.1f ms late, and 1 %% took more than %.1f ms".format(Locale.ROOT, nearestRank(lag, P99), took)
                add("The generator was the limit: for 1 % of the requests its thread was more than $late.")
            }
            if (evidence.answeredEarly > 0) add("${evidence.answeredEarly} answers came before their delay.")
            if (evidence.rejected > 0) add("The server turned ${evidence.rejected} requests away: its own limit came first.")
            if (evidence.answeredOk < result.answered) {
                add("The client counted ${result.answered} answers and the server wrote ${evidence.answeredOk}.")
            }
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

        /** Linux's timers alone have a slack of 50 microseconds. */
        private const val LEAST_SPIN_NANOS = 120_000L
        private const val MOST_SPIN_NANOS = 3_000_000L
        private const val SPIN_SHARE = 10
        private const val MOST_LAG_MS = 50.0

        /** Beside a client that keeps its callers waiting for seconds, a generator that a collection stops for 60 ms is not the limit. */
        private const val MOST_LAG_SHARE = 0.1

        /** More than the callers of the warm-up can send, who wait for their answers: each is as fast as its client. */
        private const val WARM_UP_RATE = 4_000

        /** By one in a hundred, and by one in a thousand where the tail is. */
        private val SHARES = (0..94).map { it / 100.0 } + (950..999).map { it / 1_000.0 } + 0.9999
    }
}
