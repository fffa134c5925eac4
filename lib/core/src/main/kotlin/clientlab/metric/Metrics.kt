package clientlab.metric

/** Every metric there is: the dictionary of columns, `data/README.md`, is made from it, and a trial that holds another one is refused. */
public object Metrics {
    /** By the workload that needed it first, each metric once. */
    public val byWorkload: Map<String, List<Metric>> =
        linkedMapOf(
            "burst" to burstMetrics,
            "tasks" to tasksMetrics,
            "residents" to residentsMetrics,
            "transfer" to transferMetrics,
            "rate" to rateMetrics,
            "audit" to auditMetrics,
            "latency" to latencyMetrics,
            "within" to withinMetrics,
        )

    /** All of them. */
    public val all: List<Metric> = byWorkload.values.flatten()

    /** The names of all. */
    public val names: Set<String> = all.map { it.name }.toSet()
}
