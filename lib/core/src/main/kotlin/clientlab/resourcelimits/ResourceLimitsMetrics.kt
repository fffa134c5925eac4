package clientlab.resourcelimits

import clientlab.Metric

/** What a trial of the workload `within` measures, beside what it shares with `burst` and `audit`; memory and threads are the limited JVM's. */
internal val resourceLimitsMetrics: List<Metric> =
    listOf(
        Metric("heldBytes", "bytes", "memory of the JVM that no file backs, more than before the first request, by the requests in flight"),
        Metric("pageFaults", "", "pages that the work touched for the first time, or had to read: minor and major faults"),
        Metric("requestPageFaults", "", "page faults for each answered request"),
    )
