package clientlab.closedloop

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** One trial of a [ClosedLoop], in this JVM: a warm-up and the measured calls through one session, so that connections stay open. */
internal class ClosedLoopTrial(private val scope: TrialScope, private val loop: ClosedLoop) {
    private val inFlight = scope.number(Factor.IN_FLIGHT)
    private val start = Start.of(scope.treatment)
    private val requests = scope.number(Factor.TASKS)

    fun run() {
        scope.client().open(Conditions(scope.spec.server.url(scope.protocol), inFlight, scope.protocol)).use { session ->
            val warmUp = warmUp(session)
            System.gc()
            scope.server.reset()
            SeriesRecorder(scope.spec.server).use { recorder ->
                val (result, work) = Work.measure { send(session, requests, recorder) }
                val evidence = scope.server.evidence()
                val series = warmUp.series.before(recorder.stop()).judged()
                val judgement = Judgement.of(wrong(warmUp, result, evidence), warmUp.warnings(loop.steadyWithin))
                scope.keep(
                    scope.trial(judgement, numbers(warmUp, result, work, evidence), evidence).copy(errors = result.errors, series = series),
                )
            }
        }
    }

    private fun warmUp(session: Session): LoadWarmUp {
        if (start == Start.Cold) return LoadWarmUp()
        SeriesRecorder(scope.spec.server).use { recorder ->
            var failure: String? = null
            val load = {
                val result = send(session, (requests / WARM_UP_SHARE).coerceAtLeast(inFlight), recorder)
                if (result.failed > 0) failure = "${result.failed} times. The first: ${result.example}"
            }
            if (start == Start.Warm) {
                load()
                return LoadWarmUp(recorder.stop(), steady = null, failure)
            }
            val steady = recorder.warmUp(loop.steadyWithin) { load() }
            return LoadWarmUp(recorder.stop(), steady, failure)
        }
    }

    /** Sends [requests] requests and waits for all. As in a burst, each slot is a coroutine on this thread; it goes on after a failure. */
    private fun send(session: Session, requests: Int, recorder: SeriesRecorder): BurstResult {
        val took = DoubleArray(requests) { Double.NaN }
        val failures = Failures()
        var next = 0
        val began = System.nanoTime()
        runBlocking {
            repeat(inFlight) {
                launch {
                    while (next < requests) {
                        val number = next++
                        val request = Request(delayPath(loop.delay.inWholeMilliseconds, number))
                        val sent = System.nanoTime()
                        if (!failures.wentWell { session.send(request).failure() }) continue
                        val nanos = System.nanoTime() - sent
                        took[number] = nanos / 1e6
                        recorder.answered(nanos)
                    }
                }
            }
        }
        val durationMs = (System.nanoTime() - began) / 1e6
        return BurstResult(requests, durationMs, ascending(took), failures.counts, failures.example)
    }

    private fun numbers(warmUp: LoadWarmUp, result: BurstResult, work: Work, evidence: Evidence): Numbers =
        buildMap {
            tellRequests(result, evidence)
            tell(CommonMetrics.tlsHandshakes, evidence.tlsHandshakes)
            tellWork(work)
            tell(ClosedLoopMetrics.pageFaults, work.pageFaults)
            tell(CommonMetrics.osThreads, work.after.osThreads)
            tell(CommonMetrics.rssBytes, work.after.rssBytes)
            putAll(warmUp.numbers())
            val answered = result.latenciesMs.size
            if (answered == 0) return@buildMap
            tell(CommonMetrics.requestsPerSecond, answered / result.durationMs * 1e3)
            tell(CommonMetrics.requestCpuMs, work.clientCpuSeconds * 1e3 / answered)
            tell(CommonMetrics.requestAllocatedBytes, work.allocatedBytes.toDouble() / answered)
            tell(ClosedLoopMetrics.requestPageFaults, work.pageFaults?.let { it.toDouble() / answered })
        }

    private fun wrong(warmUp: LoadWarmUp, result: BurstResult, evidence: Evidence): List<String> =
        reasons(evidence) {
            add(warmUp.failure != null) { "The warm-up failed ${warmUp.failure}" }
            add(result.failed > 0) { "${result.failed} of $requests requests failed. The first: ${result.example}" }
            arrivedOthers(requests)
            if (result.failed == 0) answeredFewer(requests)
            answeredEarly()
            answeredTooSoon(result.latenciesMs, loop.delay.inWholeMilliseconds)
        }
}

private const val WARM_UP_SHARE = 5
