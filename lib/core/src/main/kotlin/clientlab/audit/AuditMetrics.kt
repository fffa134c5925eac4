package clientlab.audit

import clientlab.trial.*

/** The metrics of a trial of an audit: the common ones that it writes, and its own. */
internal object AuditMetrics : MetricList(
    CommonMetrics.requests,
    CommonMetrics.inFlightPeak,
    CommonMetrics.trialMs,
    CommonMetrics.threadsNew,
    CommonMetrics.threadsBlocked,
    CommonMetrics.heldInFlight,
) {
    val heldConnections = metric("heldConnections", "", "connections open at the highest load, as the server saw it")
    val waiting = metric("waiting", "", "requests that the client kept waiting at the highest load: neither sent nor given up")
    val refused = metric("refused", "", "requests that the client gave up within a second, without sending them")
    val waitTimeoutMs =
        metric("waitTimeoutMs", "ms", "when the client gave up the first request that it had kept waiting, since it was asked")
    val answerTimeoutMs =
        metric(
            "answerTimeoutMs",
            "ms",
            "when the client gave up the first request that the server had, since the request arrived",
        )
    val connectTimeoutMs = metric("connectTimeoutMs", "ms", "when the client gave up a connection that a full accept queue did not take")
    val patienceMs = metric("patienceMs", "ms", "how long the trial waited for the three time-outs")
}
