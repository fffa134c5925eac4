package clientlab.gatewayload

import clientlab.Evidence
import clientlab.Factor
import clientlab.Outcome
import clientlab.Peer
import clientlab.Schedule
import clientlab.Trial
import clientlab.nearestRank
import clientlab.probe.ChildReading
import clientlab.probe.ServerProbe
import clientlab.refuseUnless
import clientlab.trial.TrialSpec
import clientlab.trial.after
import clientlab.trial.delayPath
import clientlab.trial.tooSoon
import java.net.InetSocketAddress
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * One trial of [GatewayLoad]: this JVM starts the gateway, warms it up, sends the load and watches what becomes of it.
 *
 * The warm-up is part of the trial and not one of its own: a gateway that nobody has called yet compiles for its first seconds.
 */
internal class GatewayLoadTrial(private val spec: TrialSpec, private val workload: GatewayLoad, private val server: ServerProbe) {
    private val info = workload.client(spec.treatment)
    private val rate = spec.treatment.number(Factor.RATE).toInt()
    private val delayMs = spec.treatment.number(Factor.DELAY_MS)
    private val memoryMiB = spec.treatment.number(Factor.MEMORY_MIB)

    fun run(keep: (Trial) -> Unit) {
        refuseUnless(
            spec.serializedClient == null,
        ) { "A client from a cell cannot be carried into a gateway: choose one of the catalogue." }
        val classpath = requireNotNull(spec.peers[Peer.Gateway]) { "The trial was not told where the gateway is." }
        val most = info.limit?.takeIf { POOL in info.id } ?: MOST_IN_FLIGHT
        val told = GatewaySpec(info.id.substringBefore(POOL), most, spec.server.baseUrl.toString())
        val jvmArgs = info.jvmArgs.map { it.replace("{inFlight}", "$most") }
        GatewayProcess(classpath, told, memoryMiB, jvmArgs).use { gateway ->
            val address = InetSocketAddress("127.0.0.1", gateway.port)
            // Before the first request: a pool that the warm-up fills would be no baseline.
            val before = gateway.read()
            val warm = LoadGenerator(address, Schedule.arrivals(WARM_UP_RATE, WARM_UP, null), WARM_UP_PATIENCE) { delayPath(0, it) }.run()
            keep(if (warm.errors.isEmpty()) measure(gateway, address, before) else cold(warm, gateway))
        }
    }

    private fun cold(warm: LoadResult, gateway: GatewayProcess): Trial {
        val why = "The warm-up failed: ${spoken(warm.errors)}" + gateway.end()?.let { "; the gateway ended: ${it.why}" }.orEmpty() + "."
        return Trial.invalid(spec.experiment, spec.round, spec.treatment, why).copy(errors = warm.errors)
    }

    private fun measure(gateway: GatewayProcess, address: InetSocketAddress, untouched: ChildReading?): Trial {
        val seed = workload.seed + spec.round
        val plan = Schedule.arrivals(rate, workload.seconds.seconds, seed.takeIf { workload.arrivals.name == "Poisson" })
        server.reset()
        val warm = gateway.read()
        val load =
            LoadGenerator(address, plan, workload.patience, workload.callers ?: Int.MAX_VALUE, gateway::alive) { delayPath(delayMs, it) }
        val watch = GatewayWatch(gateway, server)
        val began = System.nanoTime()
        val result = load.run()
        val durationMs = (System.nanoTime() - began) / 1e6
        val after = gateway.read()
        val looks = watch.finish()
        val evidence = server.evidence()
        val end = gateway.end()
        val lag = result.lag()
        val wrong = wrong(result, evidence, lag)
        val reading =
            GatewayLoadReading(
                workload,
                spec.treatment,
                result,
                untouched,
                warm?.cpuSeconds,
                after?.cpuSeconds,
                looks,
                evidence,
                end,
                watch.endedAtMs,
                durationMs,
            )
        return Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = spec.treatment,
            warmup = false,
            outcome = if (wrong.isEmpty()) Outcome.Complete else Outcome.Invalid,
            reasons = wrong,
            warnings = listOfNotNull(gateway.limitedBy, end?.let { "The gateway ended: ${it.why}." }, slow(lag), overflow(evidence)),
            metrics = reading.metrics(),
            errors = result.errors,
            evidence = evidence,
            curves = reading.curves(),
        )
    }

    /** What makes the measurement itself worth nothing; that the gateway failed does not. */
    private fun wrong(result: LoadResult, evidence: Evidence, lag: DoubleArray): List<String> =
        buildList {
            if (evidence.answeredEarly > 0) add("${evidence.answeredEarly} answers came before their delay.")
            tooSoon(result.fromSent(), delayMs, "generator")?.let { add(it) }
            if (evidence.answeredOk < result.answered) {
                add("The generator counted ${result.answered} answers and the server wrote ${evidence.answeredOk}.")
            }
            if (workload.callers == null && lag.isNotEmpty() && nearestRank(lag, P99) > MOST_LAG_MS) {
                add("The generator was the limit: 1 % of the requests were sent more than ${nearestRank(lag, P99).toInt()} ms late.")
            }
        }

    private fun slow(lag: DoubleArray): String? {
        if (workload.callers != null || lag.isEmpty() || nearestRank(lag, P99) <= LAG_MS) return null
        return "The generator fell behind: 1 % of the requests were sent more than ${nearestRank(lag, P99).toInt()} ms late."
    }

    private fun overflow(evidence: Evidence): String? =
        evidence.listenOverflows
            ?.takeIf {
                it > 0
            }?.let { "An accept queue on the server's machine ran over $it times, so connections were retried." }

    internal companion object {
        /** An opened client's limits: more than any load here reaches, and fewer than the files that a process may open. */
        internal const val MOST_IN_FLIGHT = 16_000
        private const val POOL = "@pool-"
        private const val WARM_UP_RATE = 500
        private val WARM_UP = 1.seconds
        private val WARM_UP_PATIENCE: Duration = 10.seconds
        private const val MOST_LAG_MS = 100.0
        private const val LAG_MS = 20.0
        private const val P99 = 0.99

        internal fun spoken(errors: Map<String, Int>) = errors.entries.joinToString { (kind, count) -> "$kind ($count)" }
    }
}
