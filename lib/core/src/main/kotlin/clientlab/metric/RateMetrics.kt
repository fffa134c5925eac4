package clientlab.metric

/** What a trial of the workload `rate` measures. */
internal val rateMetrics: List<Metric> = listOf()
