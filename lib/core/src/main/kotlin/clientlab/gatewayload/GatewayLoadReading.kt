package clientlab.gatewayload

import clientlab.Evidence
import clientlab.Factor
import clientlab.Treatment
import clientlab.nearestRank
import clientlab.probe.ChildReading

/** The numbers of one load, made from what the generator, the system and the delay server saw; [before] is from before any request. */
internal class GatewayLoadReading(
    private val workload: GatewayLoad,
    private val treatment: Treatment,
    private val result: LoadResult,
    private val before: ChildReading?,
    private val cpuBefore: Double?,
    private val cpuAfter: Double?,
    private val looks: List<GatewayLook>,
    private val evidence: Evidence,
    private val end: GatewayEnd?,
    private val endedAtMs: Double?,
    private val durationMs: Double,
) {
    private val delayMs = treatment.number(Factor.DELAY_MS)

    /** From when as many requests should be answered as are sent, until the last is sent. */
    private val steady =
        looks.filter { it.atMs >= delayMs + SETTLING_MS && it.atMs <= workload.seconds * MS }.ifEmpty { looks.takeLast(1) }

    fun metrics(): Map<String, Double> =
        buildMap {
            val planned = result.fromPlanned(workload.patience)
            val sent = result.fromSent()
            val lag = result.lag()
            val share = result.answered.toDouble() / result.requests
            put("requests", result.requests.toDouble())
            put("failed", (result.requests - result.answered).toDouble())
            put("answeredShare", share)
            put("survived", if (end == null && result.answered == result.requests) 1.0 else 0.0)
            put("gatewayEnded", if (end == null) 0.0 else 1.0)
            put("outOfMemory", if (end?.overMemory == true) 1.0 else 0.0)
            endedAtMs?.takeIf { end != null }?.let { put("endedAtMs", it) }
            put("durationMs", durationMs)
            put("latencyP50Ms", nearestRank(planned, 0.50))
            put("latencyP99Ms", nearestRank(planned, 0.99))
            put("latencyMaxMs", planned.last())
            if (sent.isNotEmpty()) {
                put("sentLatencyP50Ms", nearestRank(sent, 0.50))
                put("sentLatencyP99Ms", nearestRank(sent, 0.99))
            }
            if (lag.isNotEmpty()) put("sendLagP99Ms", nearestRank(lag, 0.99))
            put("inFlightPeak", evidence.peakInFlight.toDouble())
            put("inFlightMean", steady.map { it.inFlight.toDouble() }.average())
            put("connectionsOpened", evidence.connectionsOpened.toDouble())
            evidence.overshootMs?.p99?.let { put("serverOvershootP99Ms", it) }
            putAll(process())
        }.filterValues { !it.isNaN() }

    private fun process(): Map<String, Double> =
        buildMap {
            mean { it.osThreads }?.let { put("osThreads", it) }
            mean { it.rssBytes }?.let { put("rssBytes", it) }
            mean { it.anonBytes }?.let { put("anonBytes", it) }
            mean { it.reservedBytes }?.let { put("reservedBytes", it) }
            looks.mapNotNull { it.process.rssBytes }.maxOrNull()?.let { put("rssPeakBytes", it.toDouble()) }
            looks.mapNotNull { it.process.anonBytes }.maxOrNull()?.let { put("anonPeakBytes", it.toDouble()) }
            looks.mapNotNull { it.process.osThreads }.maxOrNull()?.let { put("osThreadsPeak", it.toDouble()) }
            before?.osThreads?.let { put("osThreadsBaseline", it.toDouble()) }
            before?.rssBytes?.let { put("rssBaselineBytes", it.toDouble()) }
            before?.anonBytes?.let { put("anonBaselineBytes", it.toDouble()) }
            before?.reservedBytes?.let { put("reservedBaselineBytes", it.toDouble()) }
            if (cpuBefore != null && cpuAfter != null) {
                put("cpuSeconds", cpuAfter - cpuBefore)
                if (result.answered > 0) put("requestCpuMs", (cpuAfter - cpuBefore) * MS / result.answered)
            }
        }

    fun curves(): Map<String, List<List<Double>>> =
        mapOf(
            "live" to thinned(looks.mapNotNull { look -> look.process.osThreads?.let { listOf(look.atMs, it.toDouble()) } }),
            "memoryMiB" to thinned(looks.mapNotNull { look -> look.process.anonBytes?.let { listOf(look.atMs, it / MIB) } }),
            "latencyAtMs" to latencies { it.planned },
            "sentLatencyAtMs" to latencies { it.sent },
        )

    /** Of requests planned together the longest latency, from the time that [from] gives; those unanswered are left out. */
    private fun latencies(from: (LoadResult) -> LongArray): List<List<Double>> {
        val began = from(result)
        return (0 until result.requests).chunked((result.requests + POINTS - 1) / POINTS).mapNotNull { together ->
            val answered = together.filter { result.done[it] >= 0 }
            val longest = answered.maxOfOrNull { (result.done[it] - began[it]) / 1e6 }
            longest?.let { listOf(result.planned[together.first()] / 1e6, it) }
        }
    }

    private fun thinned(points: List<List<Double>>): List<List<Double>> =
        points.filterIndexed { index, _ -> index % ((points.size + POINTS - 1) / POINTS) == 0 }

    private fun mean(value: (ChildReading) -> Number?): Double? =
        steady.mapNotNull { value(it.process)?.toDouble() }.takeIf { it.isNotEmpty() }?.average()

    private companion object {
        private const val POINTS = 150
        private const val SETTLING_MS = 1_000
        private const val MS = 1_000.0
        private const val MIB = 1_048_576.0
    }
}
