package clientlab.gatewayload

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*

/** The metrics of one load, computed from its readings. [untouched] is the reading of the gateway before its first request. */
internal class GatewayLoadReading(
    private val workload: GatewayLoad,
    delayMs: Long,
    private val result: LoadResult,
    private val durationMs: Double,
    private val untouched: ChildReading?,
    private val gateway: GatewaySeen,
    private val series: Series,
    private val evidence: Evidence,
) {
    private val looks = gateway.looks

    /** The time in which as many requests should be answered as are sent, until the last is sent. */
    private val steady =
        looks.filter { it.atMs >= delayMs + SETTLING_MS && it.atMs <= workload.seconds * MS }.ifEmpty { looks.takeLast(1) }

    fun numbers(): Numbers =
        buildMap<Metric, Double> {
            val sent = result.fromSent()
            val lag = result.lag()
            val end = gateway.end
            tell(CommonMetrics.requests, result.requests)
            tell(CommonMetrics.failed, result.requests - result.answered)
            tell(CommonMetrics.answeredShare, result.answered.toDouble() / result.requests)
            tell(CommonMetrics.survived, if (end == null && result.answered == result.requests) 1 else 0)
            tell(GatewayLoadMetrics.gatewayEnded, if (end == null) 0 else 1)
            tell(GatewayLoadMetrics.outOfMemory, if (end?.overMemory == true) 1 else 0)
            tell(GatewayLoadMetrics.endedAtMs, gateway.endedAtMs?.takeIf { end != null })
            tell(CommonMetrics.durationMs, durationMs)
            tellLatencies(result.fromPlanned(workload.patience))
            if (sent.isNotEmpty()) {
                tell(CommonMetrics.sentLatencyP50Ms, nearestRank(sent, 0.50))
                tell(CommonMetrics.sentLatencyP99Ms, nearestRank(sent, 0.99))
            }
            if (lag.isNotEmpty()) tell(CommonMetrics.sendLagP99Ms, nearestRank(lag, 0.99))
            tell(CommonMetrics.inFlightPeak, evidence.peakInFlight)
            tell(GatewayLoadMetrics.inFlightMean, steady.map { it.inFlight.toDouble() }.average())
            tellConnections(evidence)
            tell(CommonMetrics.serverOvershootP99Ms, evidence.overshootMs?.p99)
            tellProcess()
        }.filterValues { !it.isNaN() }

    private fun MutableMap<Metric, Double>.tellProcess() {
        tell(CommonMetrics.osThreads, mean { it.osThreads })
        tell(CommonMetrics.rssBytes, mean { it.rssBytes })
        tell(CommonMetrics.anonBytes, mean { it.anonBytes })
        tell(GatewayLoadMetrics.reservedBytes, mean { it.reservedBytes })
        tell(CommonMetrics.rssPeakBytes, looks.mapNotNull { it.process.rssBytes }.maxOrNull())
        tell(GatewayLoadMetrics.anonPeakBytes, looks.mapNotNull { it.process.anonBytes }.maxOrNull())
        tell(GatewayLoadMetrics.osThreadsPeak, looks.mapNotNull { it.process.osThreads }.maxOrNull())
        tell(GatewayLoadMetrics.osThreadsBaseline, untouched?.osThreads)
        tell(CommonMetrics.rssBaselineBytes, untouched?.rssBytes)
        tell(CommonMetrics.anonBaselineBytes, untouched?.anonBytes)
        tell(GatewayLoadMetrics.reservedBaselineBytes, untouched?.reservedBytes)
        val cpuSeconds = (gateway.cpuAfter ?: return) - (gateway.cpuBefore ?: return)
        tell(CommonMetrics.cpuSeconds, cpuSeconds)
        ThreadKind.entries.forEach { kind -> tell(CommonMetrics.cpuByKind.getValue(kind), series.cpuMs[kind.label]?.sum()?.div(MS)) }
        if (result.answered == 0) return
        tell(CommonMetrics.requestCpuMs, (series.cpuMs[Series.CLIENT]?.sum() ?: (cpuSeconds * MS)) / result.answered)
    }

    fun curves(): Map<String, List<List<Double>>> =
        mapOf(
            "live" to curve { it.osThreads?.toDouble() },
            "memoryMiB" to curve { process -> process.anonBytes?.let { it / MIB } },
            "latencyAtMs" to latencies(result.planned),
            "sentLatencyAtMs" to latencies(result.sent),
        )

    /** The longest latency of requests planned together, since they [began], without unanswered requests. */
    private fun latencies(began: LongArray): List<List<Double>> =
        (0 until result.requests).chunked((result.requests + POINTS - 1) / POINTS).mapNotNull { together ->
            val answered = together.filter { result.done[it] >= 0 }
            val longest = answered.maxOfOrNull { (result.done[it] - began[it]) / 1e6 }
            longest?.let { listOf(result.planned[together.first()] / 1e6, it) }
        }

    private fun curve(value: (ChildReading) -> Double?): List<List<Double>> {
        val points = looks.mapNotNull { look -> value(look.process)?.let { listOf(look.atMs, it) } }
        return points.filterIndexed { index, _ -> index % ((points.size + POINTS - 1) / POINTS) == 0 }
    }

    private fun mean(value: (ChildReading) -> Number?): Double? =
        steady.mapNotNull { value(it.process)?.toDouble() }.takeIf { it.isNotEmpty() }?.average()

    private companion object {
        private const val POINTS = 150
        private const val SETTLING_MS = 1_000
        private const val MS = 1_000.0
        private const val MIB = 1_048_576.0
    }
}
