package clientlab.closedloop

import clientlab.*
import clientlab.client.*
import clientlab.trial.*

/** One trial of a [ClosedLoop], in this JVM: a warm-up and the measured calls through one session, so that connections stay open. */
internal class ClosedLoopTrial(private val scope: TrialScope, private val loop: ClosedLoop) {
    private val inFlight = scope.number(Factor.IN_FLIGHT)
    private val requests = scope.number(Factor.TASKS)

    fun run() {
        scope.client().open(Conditions(scope.spec.server.baseUrl, inFlight)).use { session ->
            val path = { number: Int -> delayPath(loop.delay.inWholeMilliseconds, number) }
            val warm = sendLoop(session, (requests / WARM_UP_SHARE).coerceAtLeast(inFlight), inFlight, path)
            System.gc()
            scope.server.reset()
            val (result, work) = Work.measure { sendLoop(session, requests, inFlight, path) }
            val evidence = scope.server.evidence()
            val judgement = Judgement.of(wrong(warm, result, evidence))
            scope.keep(scope.trial(judgement, numbers(result, work, evidence), evidence).copy(errors = result.errors))
        }
    }

    private fun numbers(result: BurstResult, work: Work, evidence: Evidence): Numbers =
        buildMap {
            tell(CommonMetrics.requests, requests)
            tell(CommonMetrics.failed, result.failed)
            tell(CommonMetrics.durationMs, result.durationMs)
            tellWork(work)
            tell(CommonMetrics.inFlightPeak, evidence.peakInFlight)
            tell(CommonMetrics.connectionsOpened, evidence.connectionsOpened)
            tell(ClosedLoopMetrics.pageFaults, work.pageFaults)
            tell(CommonMetrics.osThreads, work.after.osThreads)
            tell(CommonMetrics.rssBytes, work.after.rssBytes)
            val answered = result.latenciesMs.size
            if (answered == 0) return@buildMap
            tellLatencies(result.latenciesMs)
            tell(CommonMetrics.requestsPerSecond, answered / result.durationMs * 1e3)
            tell(CommonMetrics.requestCpuMs, work.cpuSeconds * 1e3 / answered)
            tell(ClosedLoopMetrics.requestAllocatedBytes, work.allocatedBytes.toDouble() / answered)
            tell(ClosedLoopMetrics.requestPageFaults, work.pageFaults?.let { it.toDouble() / answered })
        }

    private fun wrong(warm: BurstResult, result: BurstResult, evidence: Evidence): List<String> =
        reasons(evidence) {
            add(warm.failed > 0) { "The warm-up failed ${warm.failed} times. The first: ${warm.example}" }
            add(result.failed > 0) { "${result.failed} of $requests requests failed. The first: ${result.example}" }
            arrivedOthers(requests)
            if (result.failed == 0) answeredFewer(requests)
            answeredEarly()
            answeredTooSoon(result.latenciesMs, loop.delay.inWholeMilliseconds)
        }

    private companion object {
        private const val WARM_UP_SHARE = 5
    }
}
