package clientlab.metric

/** What a trial of the workload `residents` measures. */
internal val residentsMetrics: List<Metric> = listOf()
