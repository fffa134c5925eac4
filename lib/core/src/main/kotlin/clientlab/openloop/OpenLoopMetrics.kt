package clientlab.openloop

import clientlab.Metric

/** What a trial of the workload `latency` measures, beside what it shares with `burst` and `rate`. */
internal val openLoopMetrics: List<Metric> =
    listOf(
        Metric("latencyP999Ms", "ms", "per request, from when it was planned to the end of its body: 99.9th percentile"),
        Metric("generatorLagP99Ms", "ms", "how late the generator's own thread was for a request, 99th percentile"),
        Metric("neverSent", "", "requests that a closed loop had planned and did not send, for its callers waited"),
    )
