package clientlab.workloads

import clientlab.Metric
import clientlab.audit.auditMetrics
import clientlab.burst.burstMetrics
import clientlab.gatewayload.gatewayLoadMetrics
import clientlab.idle.idleTasksMetrics
import clientlab.openloop.openLoopMetrics
import clientlab.resourcelimits.resourceLimitsMetrics
import clientlab.tasks.tasksMetrics
import clientlab.transfer.transferMetrics

/** Every metric there is: the dictionary of columns, `data/README.md`, is made from it, and a trial that holds another one is refused. */
public object Metrics {
    /** By the workload that needed it first, each metric once. */
    public val byWorkload: Map<String, List<Metric>> =
        linkedMapOf(
            "burst" to burstMetrics,
            "tasks" to tasksMetrics,
            "residents" to idleTasksMetrics,
            "transfer" to transferMetrics,
            "rate" to gatewayLoadMetrics,
            "audit" to auditMetrics,
            "latency" to openLoopMetrics,
            "within" to resourceLimitsMetrics,
        )

    /** All of them. */
    public val all: List<Metric> = byWorkload.values.flatten()

    /** The names of all. */
    public val names: Set<String> = all.map { it.name }.toSet()
}
