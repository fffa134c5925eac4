package clientlab.metric

/** What a trial of the workload `tasks` measures. */
internal val tasksMetrics: List<Metric> = listOf()
