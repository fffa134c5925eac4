package clientlab.gatewayload

import clientlab.Metric

/** What trials of the workloads `rate` and `closed-loop` measure; of `rate`, memory, threads and processor time are the gateway's. */
internal val gatewayLoadMetrics: List<Metric> =
    listOf(
        Metric("answeredShare", "", "requests answered rightly before their caller gave up, of all that were planned"),
        Metric("survived", "", "1 where all requests were answered rightly, else 0"),
        Metric("gatewayEnded", "", "1 where the gateway's process ended under the load, else 0"),
        Metric("outOfMemory", "", "1 where it ended for want of memory, else 0"),
        Metric("endedAtMs", "ms", "when it ended, since the load began"),
        Metric("sentLatencyP50Ms", "ms", "per answered request, from when it was really sent: median; hides what waited to be sent"),
        Metric("sentLatencyP99Ms", "ms", "the same, 99th percentile"),
        Metric("sendLagP99Ms", "ms", "how late the generator sent a request after it was planned, 99th percentile"),
        Metric("inFlightMean", "", "requests in flight as the server saw them, mean of the steady part of the load"),
        Metric("osThreadsBaseline", "", "threads of the gateway before its first request"),
        Metric("osThreadsPeak", "", "the most threads of the gateway"),
        Metric("anonBytes", "bytes", "resident memory of the gateway that no file backs, mean of the steady part of the load"),
        Metric("anonBaselineBytes", "bytes", "the same before its first request"),
        Metric("anonPeakBytes", "bytes", "the most of it"),
        Metric("reservedBytes", "bytes", "address space of the gateway, mean of the steady part of the load"),
        Metric("reservedBaselineBytes", "bytes", "the same before its first request"),
        Metric("requestCpuMs", "ms", "processor time for each answered request"),
        Metric("requestsPerSecond", "1/s", "requests answered in each second"),
        Metric("requestAllocatedBytes", "bytes", "bytes allocated for each answered request"),
    )
