package clientlab.burst

import clientlab.Evidence
import clientlab.nearestRank
import clientlab.trial.BurstResult

/** What the client says of a burst, as metrics. */
internal fun clientMetrics(result: BurstResult): Map<String, Double> =
    buildMap {
        put("requests", result.requests.toDouble())
        put("failed", result.failed.toDouble())
        put("durationMs", result.durationMs)
        if (result.latenciesMs.isNotEmpty()) {
            put("latencyP50Ms", nearestRank(result.latenciesMs, 0.50))
            put("latencyP99Ms", nearestRank(result.latenciesMs, 0.99))
            put("latencyMaxMs", result.latenciesMs.last())
        }
    }

/** What the server says of it. */
internal fun evidenceMetrics(evidence: Evidence): Map<String, Double> =
    buildMap {
        put("inFlightPeak", evidence.peakInFlight.toDouble())
        put("connectionsOpened", evidence.connectionsOpened.toDouble())
        put("requestsHttp1", (evidence.requestsByProtocol[HTTP_1] ?: 0L).toDouble())
        evidence.overshootMs?.p99?.let { put("serverOvershootP99Ms", it) }
    }

/** `[share of requests, ms]` at every whole percent. */
internal fun latencyCurve(result: BurstResult): List<List<Double>> =
    if (result.latenciesMs.isEmpty()) emptyList() else (0..100).map { listOf(it / 100.0, nearestRank(result.latenciesMs, it / 100.0)) }

private const val HTTP_1 = "http/1.1"
