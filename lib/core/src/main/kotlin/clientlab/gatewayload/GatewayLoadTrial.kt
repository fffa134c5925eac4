package clientlab.gatewayload

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.net.InetSocketAddress
import kotlin.time.Duration.Companion.seconds

/**
 * One trial of [GatewayLoad]: this JVM starts the gateway, warms it up, sends the load and watches the gateway. The warm-up is part of the
 * trial: a gateway that has answered nothing yet compiles for its first seconds.
 */
internal class GatewayLoadTrial(private val scope: TrialScope, private val workload: GatewayLoad) {
    private val spec = scope.spec
    private val delayMs = spec.treatment.number(Factor.DELAY_MS)

    fun run() {
        refuseUnless(spec.serializedClient == null) {
            "A client from a cell cannot be carried into a gateway: choose one of the catalogue."
        }
        val classpath = requireNotNull(spec.peers[Peer.Gateway]) { "The trial was not told where the gateway is." }
        val info = workload.client(spec.treatment)
        val most = info.limit?.takeIf { POOL in info.id } ?: MOST_IN_FLIGHT
        val told = GatewaySpec(info.id.substringBefore(POOL), most, spec.server.baseUrl.toString())
        GatewayProcess(classpath, told, spec.treatment.number(Factor.MEMORY_MIB), info.jvmArgs(most)).use { gateway ->
            val address = InetSocketAddress("127.0.0.1", gateway.port)
            // Before the first request, because the warm-up fills pools.
            val before = gateway.read()
            val warm = LoadGenerator(address, Schedule.arrivals(WARM_UP_RATE, WARM_UP, null), WARM_UP_PATIENCE) { delayPath(0, it) }.run()
            scope.keep(if (warm.errors.isEmpty()) measure(gateway, address, before, warmUp(gateway, address)) else cold(warm, gateway))
        }
    }

    /** The load itself, at its own rate, until the gateway's series is steady, if that is asked for. */
    private fun warmUp(gateway: GatewayProcess, address: InetSocketAddress): LoadWarmUp {
        if (Start.of(spec.treatment) != Start.Steady) return LoadWarmUp()
        val plan = Schedule.arrivals(scope.number(Factor.RATE), STEP, null)
        recorder(gateway).use { recorder ->
            val steady = recorder.warmUp(workload.steadyWithin, over = { !gateway.alive }) { load(gateway, address, plan, recorder).run() }
            return LoadWarmUp(recorder.stop(), steady)
        }
    }

    private fun recorder(gateway: GatewayProcess) = SeriesRecorder(spec.server, ThreadTimes(gateway.pid), gateway::counters)

    private fun load(gateway: GatewayProcess, address: InetSocketAddress, plan: LongArray, recorder: SeriesRecorder) =
        LoadGenerator(address, plan, workload.patience, workload.callers ?: Int.MAX_VALUE, gateway::alive, recorder) {
            delayPath(delayMs, it)
        }

    private fun cold(warm: LoadResult, gateway: GatewayProcess): Trial {
        val why = "The warm-up failed: ${spoken(warm.errors)}" + gateway.end()?.let { "; the gateway ended: ${it.why}" }.orEmpty() + "."
        return Trial.invalid(spec.experiment, spec.round, spec.treatment, why).copy(errors = warm.errors)
    }

    private fun measure(gateway: GatewayProcess, address: InetSocketAddress, untouched: ChildReading?, warmUp: LoadWarmUp): Trial {
        scope.server.reset()
        return recorder(gateway).use { recorded(gateway, address, untouched, warmUp, it) }
    }

    private fun recorded(
        gateway: GatewayProcess,
        address: InetSocketAddress,
        untouched: ChildReading?,
        warmUp: LoadWarmUp,
        recorder: SeriesRecorder,
    ): Trial {
        val seed = (workload.seed + spec.round).takeIf { workload.arrivals == Arrivals.Poisson }
        val plan = Schedule.arrivals(scope.number(Factor.RATE), workload.seconds.seconds, seed)
        val load = load(gateway, address, plan, recorder)
        val watch = GatewayWatch(gateway, scope.server)
        val began = System.nanoTime()
        val result = load.run()
        val durationMs = (System.nanoTime() - began) / 1e6
        val seen = watch.finish()
        val measured = recorder.stop()
        val series = warmUp.series.before(measured).judged()
        // The queue of the gateway may run over, so that of the server does not decide.
        val evidence = scope.server.evidence().copy(ownListenDrops = null)
        val lag = result.lag()
        val end = seen.end?.let { "The gateway ended: ${it.why}." }
        val warnings = listOfNotNull(gateway.limitedBy, end, slow(lag), overflow(evidence)) + warmUp.warnings(workload.steadyWithin)
        val reading = GatewayLoadReading(workload, delayMs, result, durationMs, untouched, seen, measured, evidence)
        return scope
            .trial(Judgement.of(wrong(result, evidence, lag), warnings), reading.numbers() + warmUp.numbers(), evidence)
            .copy(errors = result.errors, curves = reading.curves(), series = series)
    }

    /** What invalidates the measurement itself; that the gateway failed does not. */
    private fun wrong(result: LoadResult, evidence: Evidence, lag: DoubleArray): List<String> =
        reasons(evidence) {
            answeredEarly()
            answeredTooSoon(result.fromSent(), delayMs, "generator")
            answeredFewer(result.answered, "generator")
            add(workload.callers == null && lag.isNotEmpty() && nearestRank(lag, P99) > MOST_LAG_MS) {
                "The generator was the limit: 1 % of the requests were sent more than ${nearestRank(lag, P99).toInt()} ms late."
            }
        }

    private fun slow(lag: DoubleArray): String? {
        if (workload.callers != null || lag.isEmpty() || nearestRank(lag, P99) <= LAG_MS) return null
        return "The generator fell behind: 1 % of the requests were sent more than ${nearestRank(lag, P99).toInt()} ms late."
    }

    private companion object {
        /** The limits of an opened client: more than any load here reaches, and fewer than a process's open files. */
        private const val MOST_IN_FLIGHT = 16_000
        private const val POOL = "@pool-"
        private const val WARM_UP_RATE = 500
        private val WARM_UP = 1.seconds
        private val STEP = 5.seconds
        private val WARM_UP_PATIENCE = 10.seconds
        private const val MOST_LAG_MS = 100.0
        private const val LAG_MS = 20.0
        private const val P99 = 0.99
    }
}
