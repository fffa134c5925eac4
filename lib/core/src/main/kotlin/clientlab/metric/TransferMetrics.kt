package clientlab.metric

/** What a trial of the workload `transfer` measures. */
internal val transferMetrics: List<Metric> = listOf()
