package clientlab.resourcelimits

import clientlab.trial.*

/** The metrics of a trial of a client under resource limits: the common ones that it writes, and its own. */
internal object ResourceLimitsMetrics : MetricList(
    CommonMetrics.trialMs,
    CommonMetrics.rssBytes,
    CommonMetrics.osThreads,
    CommonMetrics.survived,
    CommonMetrics.anonBytes,
    CommonMetrics.anonBaselineBytes,
    CommonMetrics.heldInFlight,
) {
    val heldBytes =
        metric(
            "heldBytes",
            "bytes",
            "growth of the memory of the JVM under limits that no file backs since before the first request, per request in flight",
        )
}
