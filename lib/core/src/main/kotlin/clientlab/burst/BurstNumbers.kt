package clientlab.burst

import clientlab.*
import clientlab.trial.*

/** What the client says of a burst, and then what the server saw of it. */
internal fun burstNumbers(result: BurstResult, evidence: Evidence): Numbers =
    buildMap {
        tell(CommonMetrics.requests, result.requests)
        tell(CommonMetrics.failed, result.failed)
        tell(CommonMetrics.durationMs, result.durationMs)
        tellLatencies(result.latenciesMs)
        tell(CommonMetrics.inFlightPeak, evidence.peakInFlight)
        tell(CommonMetrics.connectionsOpened, evidence.connectionsOpened)
        tell(BurstMetrics.requestsHttp1, evidence.requestsByProtocol[HTTP_1] ?: 0L)
        tell(CommonMetrics.serverOvershootP99Ms, evidence.overshootMs?.p99)
    }

/** The metrics that a trial does not have where its server does not know all, see [EvidenceSource.knowsAll]. */
internal val NOT_KNOWN_ELSEWHERE: Set<Metric> =
    setOf(
        CommonMetrics.connectionsOpened,
        BurstMetrics.connectionsOpenedAgain,
        CommonMetrics.closeMs,
        BurstMetrics.threadsBefore,
        BurstMetrics.threadsAfter,
    )

/** `[share of requests, ms]` at every whole percent. */
internal fun latencyCurve(result: BurstResult): List<List<Double>> =
    if (result.latenciesMs.isEmpty()) emptyList() else (0..100).map { listOf(it / 100.0, nearestRank(result.latenciesMs, it / 100.0)) }

private const val HTTP_1 = "http/1.1"
