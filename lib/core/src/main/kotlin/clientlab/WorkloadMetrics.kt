package clientlab

import clientlab.metric.Metric
import clientlab.metric.Metrics
import clientlab.workload.Audit
import clientlab.workload.Burst
import clientlab.workload.ClosedLoop
import clientlab.workload.Latency
import clientlab.workload.Rate
import clientlab.workload.Residents
import clientlab.workload.Tasks
import clientlab.workload.Transfer
import clientlab.workload.Within
import clientlab.workload.Workload

/** The metrics of this workload itself; others that its trials have are a burst's, which gives the same things the same names. */
public val Workload.metrics: List<Metric>
    get() =
        Metrics.byWorkload.getValue(
            when (this) {
                is Burst -> "burst"
                is Tasks -> "tasks"
                is Residents -> "residents"
                is Transfer -> "transfer"
                is Rate, is ClosedLoop -> "rate"
                is Audit, is Within -> "audit"
                is Latency -> "latency"
            },
        )
