package clientlab.closedloop

import clientlab.trial.*

/** The metrics of a trial of a closed loop: the common ones that it writes, and its own. */
internal object ClosedLoopMetrics : MetricList(
    CommonMetrics.requests,
    CommonMetrics.failed,
    CommonMetrics.durationMs,
    CommonMetrics.latencyP50Ms,
    CommonMetrics.latencyP99Ms,
    CommonMetrics.latencyMaxMs,
    CommonMetrics.inFlightPeak,
    CommonMetrics.connectionsOpened,
    CommonMetrics.trialMs,
    CommonMetrics.cpuSeconds,
    CommonMetrics.allocatedBytes,
    CommonMetrics.rssBytes,
    CommonMetrics.osThreads,
    CommonMetrics.requestCpuMs,
    CommonMetrics.requestsPerSecond,
) {
    val requestAllocatedBytes = metric("requestAllocatedBytes", "bytes", "bytes allocated for each answered request")
    val pageFaults = metric("pageFaults", "", "pages that the work touched for the first time, or had to read: minor and major faults")
    val requestPageFaults = metric("requestPageFaults", "", "page faults for each answered request")
}
