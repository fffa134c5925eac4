package clientlab.gatewayload

import clientlab.trial.*

/** The metrics of a trial of a load on a gateway: the common ones that it writes, and its own. */
internal object GatewayLoadMetrics : MetricList(
    CommonMetrics.requests,
    CommonMetrics.failed,
    CommonMetrics.durationMs,
    CommonMetrics.latencyP50Ms,
    CommonMetrics.latencyP99Ms,
    CommonMetrics.latencyMaxMs,
    CommonMetrics.inFlightPeak,
    CommonMetrics.connectionsOpened,
    CommonMetrics.serverOvershootP99Ms,
    CommonMetrics.trialMs,
    CommonMetrics.cpuSeconds,
    CommonMetrics.rssBytes,
    CommonMetrics.rssBaselineBytes,
    CommonMetrics.rssPeakBytes,
    CommonMetrics.osThreads,
    CommonMetrics.answeredShare,
    CommonMetrics.survived,
    CommonMetrics.sentLatencyP50Ms,
    CommonMetrics.sentLatencyP99Ms,
    CommonMetrics.sendLagP99Ms,
    CommonMetrics.anonBytes,
    CommonMetrics.anonBaselineBytes,
    CommonMetrics.requestCpuMs,
) {
    val gatewayEnded = metric("gatewayEnded", "", "1 where the gateway's process ended under the load, else 0")
    val outOfMemory = metric("outOfMemory", "", "1 where the gateway ended because it had no more memory, else 0")
    val endedAtMs = metric("endedAtMs", "ms", "when the gateway ended, since the load began")
    val inFlightMean = metric("inFlightMean", "", "requests in flight as the server saw them, mean of the steady part of the load")
    val osThreadsBaseline = metric("osThreadsBaseline", "", "threads of the gateway before its first request")
    val osThreadsPeak = metric("osThreadsPeak", "", "the most threads of the gateway")
    val anonPeakBytes = metric("anonPeakBytes", "bytes", "the most resident memory of the gateway that no file backs")
    val reservedBytes = metric("reservedBytes", "bytes", "address space of the gateway, mean of the steady part of the load")
    val reservedBaselineBytes = metric("reservedBaselineBytes", "bytes", "address space of the gateway before its first request")
}
