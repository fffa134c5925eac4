package clientlab.openloop

import clientlab.trial.*

/** The metrics of a trial of an open loop: the common ones that it writes, and its own. */
internal object OpenLoopMetrics : MetricList(
    CommonMetrics.requests,
    CommonMetrics.failed,
    CommonMetrics.latencyP50Ms,
    CommonMetrics.latencyP99Ms,
    CommonMetrics.latencyMaxMs,
    CommonMetrics.inFlightPeak,
    CommonMetrics.connectionsOpened,
    CommonMetrics.trialMs,
    CommonMetrics.cpuSeconds,
    CommonMetrics.answeredShare,
    CommonMetrics.sentLatencyP50Ms,
    CommonMetrics.sentLatencyP99Ms,
    CommonMetrics.sendLagP99Ms,
    CommonMetrics.requestCpuMs,
    CommonMetrics.requestsPerSecond,
) {
    val latencyP999Ms = metric("latencyP999Ms", "ms", "per request, from its planned time to the end of its body: 99.9th percentile")
    val generatorLagP99Ms = metric("generatorLagP99Ms", "ms", "how late the generator's own thread was for a request, 99th percentile")
    val neverSent = metric("neverSent", "", "requests that a closed loop had planned and did not send, because its callers waited")
}
