package clientlab.workloads

import clientlab.*

/** Every metric there is. The dictionary of columns, `data/README.md`, is made from it. */
public object Metrics {
    /** Each metric with the workloads that write it, by their names in a manifest. */
    public val writers: Map<Metric, List<String>> =
        Workloads.metrics
            .flatMap { (workload, metrics) -> metrics.map { it to workload } }
            .groupBy({ it.first }, { it.second })

    /** All of them, each once. */
    public val all: List<Metric> = writers.keys.toList()

    /** The names of all. */
    public val names: Set<String> = all.map { it.name }.toSet()
}
