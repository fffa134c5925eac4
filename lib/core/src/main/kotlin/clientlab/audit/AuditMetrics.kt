package clientlab.audit

import clientlab.Metric

/** What a trial of the workload `audit` measures, beside what it shares with `burst`. */
internal val auditMetrics: List<Metric> =
    listOf(
        Metric(
            "heldInFlight",
            "",
            "requests in flight at the highest load, as the server saw it: the client's limit where more were asked",
        ),
        Metric("heldConnections", "", "connections open at the highest load, as the server saw it"),
        Metric("waiting", "", "requests that the client kept waiting there, neither sent nor given up"),
        Metric("refused", "", "requests that it gave up within a second, without sending them"),
        Metric("waitTimeoutMs", "ms", "when the client gave up a request that it had kept waiting: the first, since it was asked"),
        Metric("answerTimeoutMs", "ms", "when it gave up a request that the server had: the first, since it arrived there"),
        Metric("connectTimeoutMs", "ms", "when it gave up a connection that a full accept queue did not take"),
        Metric("patienceMs", "ms", "how long was waited for these three"),
    )
