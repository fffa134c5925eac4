package clientlab.tasks

import clientlab.Metric

/** What a trial of the workload `tasks` measures beside the metrics that it shares with a burst. */
internal val tasksMetrics: List<Metric> =
    listOf(
        Metric("baseLatencyMs", "ms", "a call without a delay, one after another on one thread: median of a hundred"),
        Metric("executorLimit", "", "the most tasks that the executor runs at once; missing where it has no limit"),
        Metric("processors", "", "processors that the fork may use"),
        Metric("cpuShare", "", "processor time of the client / (duration × processors)"),
        Metric("serverCpuSeconds", "s", "processor time of the delay server during the work"),
        Metric("serverCpuShare", "", "processor time of the delay server / (duration × processors)"),
        Metric("machineShare", "", "share of all processors that was used during the work, by whoever, as the system counts it"),
        Metric("connectionsPeak", "", "the most connections open at once, as the server saw it"),
        Metric("pinnedEvents", "", "how often a virtual thread was pinned to its carrier while it waited (JFR)"),
        Metric("pinnedMs", "ms", "how long virtual threads were pinned, in all (JFR)"),
        Metric("submitFailures", "", "how often a virtual thread could not be handed to its scheduler (JFR)"),
    )
