package clientlab.closedloop

import clientlab.Evidence
import clientlab.Factor
import clientlab.Outcome
import clientlab.Trial
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.nearestRank
import clientlab.probe.ProcessProbe
import clientlab.probe.ServerProbe
import clientlab.trial.BurstResult
import clientlab.trial.TrialSpec
import clientlab.trial.after
import clientlab.trial.delayPath
import clientlab.trial.tooSoon

/**
 * One trial of a [ClosedLoop], in this JVM: a warm-up and the measured calls through one session, for connections that stay open are what
 * fast calls live on.
 */
internal class ClosedLoopTrial(
    private val spec: TrialSpec,
    private val loop: ClosedLoop,
    private val client: Client,
    private val server: ServerProbe,
) {
    private val inFlight = spec.treatment.number(Factor.IN_FLIGHT).toInt()
    private val requests = spec.treatment.number(Factor.TASKS).toInt()

    fun run(keep: (Trial) -> Unit) {
        client.open(Conditions(spec.server.baseUrl, inFlight)).use { session ->
            val path = { number: Int -> delayPath(loop.delay.inWholeMilliseconds, number) }
            val warm = sendLoop(session, (requests / WARM_UP_SHARE).coerceAtLeast(inFlight), inFlight, path)
            System.gc()
            server.reset()
            val before = ProcessProbe.read()
            val result = sendLoop(session, requests, inFlight, path)
            val after = ProcessProbe.read()
            val evidence = server.evidence()
            val wrong = wrong(warm, result, evidence)
            val answered = result.latenciesMs.size
            val cpuSeconds = after.cpuSeconds - before.cpuSeconds
            val allocated = (after.allocatedBytes - before.allocatedBytes).toDouble()
            keep(
                Trial(
                    experiment = spec.experiment,
                    round = spec.round,
                    treatment = spec.treatment,
                    warmup = false,
                    outcome = if (wrong.isEmpty()) Outcome.Complete else Outcome.Invalid,
                    reasons = wrong,
                    metrics =
                        buildMap {
                            put("requests", requests.toDouble())
                            put("failed", result.failed.toDouble())
                            put("durationMs", result.durationMs)
                            put("cpuSeconds", cpuSeconds)
                            put("allocatedBytes", allocated)
                            put("inFlightPeak", evidence.peakInFlight.toDouble())
                            put("connectionsOpened", evidence.connectionsOpened.toDouble())
                            val faults = after.pageFaults?.minus(before.pageFaults ?: 0)
                            faults?.let { put("pageFaults", it.toDouble()) }
                            after.osThreads?.let { put("osThreads", it.toDouble()) }
                            after.rssBytes?.let { put("rssBytes", it.toDouble()) }
                            if (answered > 0) {
                                put("latencyP50Ms", nearestRank(result.latenciesMs, 0.50))
                                put("latencyP99Ms", nearestRank(result.latenciesMs, 0.99))
                                put("latencyMaxMs", result.latenciesMs.last())
                                put("requestsPerSecond", answered / result.durationMs * 1e3)
                                put("requestCpuMs", cpuSeconds * 1e3 / answered)
                                put("requestAllocatedBytes", allocated / answered)
                                faults?.let { put("requestPageFaults", it.toDouble() / answered) }
                            }
                        },
                    errors = result.errors,
                    evidence = evidence,
                ),
            )
        }
    }

    private fun wrong(warm: BurstResult, result: BurstResult, evidence: Evidence): List<String> =
        buildList {
            if (warm.failed > 0) add("The warm-up failed ${warm.failed} times. The first: ${warm.example}")
            if (result.failed > 0) add("${result.failed} of $requests requests failed. The first: ${result.example}")
            if (evidence.arrived != requests.toLong()) add("The client sent $requests requests and the server saw ${evidence.arrived}.")
            if (result.failed == 0 && evidence.answeredOk < requests) {
                add("The client counted $requests answers and the server wrote ${evidence.answeredOk}.")
            }
            if (evidence.answeredEarly > 0) add("${evidence.answeredEarly} answers came before their delay.")
            tooSoon(result.latenciesMs, loop.delay.inWholeMilliseconds)?.let { add(it) }
        }

    private companion object {
        private const val WARM_UP_SHARE = 5
    }
}
