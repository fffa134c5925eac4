package clientlab.tasks

import clientlab.trial.*

/** The metrics of a trial of tasks: the common ones that it writes, and its own. */
internal object TasksMetrics : MetricList(
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
    CommonMetrics.allocatedBytes,
    CommonMetrics.rssPeakBytes,
) {
    val baseLatencyMs = metric("baseLatencyMs", "ms", "a call without a delay, one after another on one thread: median of a hundred")
    val executorLimit = metric("executorLimit", "", "the most tasks that the executor runs at once; missing where it has no limit")
    val processors = metric("processors", "", "processors that the fork may use")
    val cpuShare = metric("cpuShare", "", "processor time of the client / (duration × processors)")
    val serverCpuSeconds = metric("serverCpuSeconds", "s", "processor time of the delay server during the work")
    val serverCpuShare = metric("serverCpuShare", "", "processor time of the delay server / (duration × processors)")
    val machineShare =
        metric(
            "machineShare",
            "",
            "share of all processors that anything on the machine used during the work, as the system counts it",
        )
    val connectionsPeak = metric("connectionsPeak", "", "the most connections open at once, as the server saw it")
    val pinnedEvents = metric("pinnedEvents", "", "how often a virtual thread was pinned to its carrier while it waited (JFR)")
    val pinnedMs = metric("pinnedMs", "ms", "how long virtual threads were pinned, in all (JFR)")
    val submitFailures = metric("submitFailures", "", "how often a virtual thread could not be handed to its scheduler (JFR)")
}
