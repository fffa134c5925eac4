package clientlab.workloads

import clientlab.*
import clientlab.audit.*
import clientlab.burst.*
import clientlab.capacity.*
import clientlab.churn.*
import clientlab.closedloop.*
import clientlab.conduct.*
import clientlab.gatewayload.*
import clientlab.idle.*
import clientlab.openloop.*
import clientlab.outage.*
import clientlab.resourcelimits.*
import clientlab.storm.*
import clientlab.streams.*
import clientlab.tasks.*
import clientlab.transfer.*
import clientlab.trial.*
import kotlinx.serialization.KSerializer
import kotlinx.serialization.json.Json
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.SerializersModuleBuilder
import kotlin.reflect.KClass

/**
 * Every workload, one line each: the only place that names all of them.
 *
 * To add a workload, add a line here and a folder with a file each, as [clientlab.closedloop] has them:
 * - the workload: a serializable data class that implements [Workload], with its factors, its treatments and a `@SerialName`, and the
 *   [MetricList] of exactly those metrics that a trial writes;
 * - the load: what is sent, and what becomes of it;
 * - the trial: it does the load within a [TrialScope], judges it, and keeps a trial. [clientlab.trial] has the parts that trials share.
 */
public object Workloads {
    private val all: List<Kind<*>> = listOf(
        Kind(Burst::class, Burst.serializer(), BurstMetrics) { burstTrial(this, it) },
        Kind(Tasks::class, Tasks.serializer(), TasksMetrics) { TasksTrial(this, it).run() },
        Kind(IdleTasks::class, IdleTasks.serializer(), IdleTasksMetrics) { IdleTasksTrial(this).run() },
        Kind(Transfer::class, Transfer.serializer(), TransferMetrics) { TransferTrial(this, it).run() },
        Kind(GatewayLoad::class, GatewayLoad.serializer(), GatewayLoadMetrics) { GatewayLoadTrial(this, it).run() },
        Kind(ClosedLoop::class, ClosedLoop.serializer(), ClosedLoopMetrics) { ClosedLoopTrial(this, it).run() },
        Kind(OpenLoop::class, OpenLoop.serializer(), OpenLoopMetrics) { OpenLoopTrial(this, it).run() },
        Kind(Capacity::class, Capacity.serializer(), CapacityMetrics) { CapacityTrial(this, it).run() },
        Kind(Audit::class, Audit.serializer(), AuditMetrics) { AuditTrial(this, it).run() },
        Kind(Conduct::class, Conduct.serializer(), ConductMetrics) { ConductTrial(this, it).run() },
        Kind(Storm::class, Storm.serializer(), StormMetrics) { StormTrial(this, it).run() },
        Kind(Streams::class, Streams.serializer(), StreamsMetrics) { StreamsTrial(this, it).run() },
        Kind(Outage::class, Outage.serializer(), OutageMetrics) { OutageTrial(this, it).run() },
        Kind(Churn::class, Churn.serializer(), ChurnMetrics) { ChurnTrial(this, it).run() },
        Kind(ResourceLimits::class, ResourceLimits.serializer(), ResourceLimitsMetrics) { ResourceLimitsTrial(this, it).run() },
    )

    internal val serializers: SerializersModule = SerializersModule { all.forEach { it.register(this) } }

    /** The metrics that each workload writes, by the workload's name in a manifest. */
    internal val metrics: Map<String, List<Metric>> = all.associate { it.serializer.descriptor.serialName to it.metrics.list }

    /** Runs the trials of one fork in this JVM. */
    internal fun run(scope: TrialScope): Unit = all.first { it.type.isInstance(scope.spec.workload) }.run(scope)

    private class Kind<W : Workload>(
        val type: KClass<W>,
        val serializer: KSerializer<W>,
        val metrics: MetricList,
        private val trial: TrialScope.(W) -> Unit,
    ) {
        fun register(module: SerializersModuleBuilder) = module.polymorphic(Workload::class, type, serializer)

        @Suppress("UNCHECKED_CAST")
        fun run(scope: TrialScope) = scope.trial(scope.spec.workload as W)
    }
}

/** [LabJson] that also knows every workload: for experiments, and for what holds one, such as a manifest or a trial spec. */
public val ExperimentJson: Json = Json(LabJson) { serializersModule = Workloads.serializers }

/** Every metric there is. The dictionary of columns, `data/README.md`, is made from it. */
public object Metrics {
    /** Each metric with the workloads that write it, by their names in a manifest. */
    public val writers: Map<Metric, List<String>> =
        Workloads.metrics.flatMap { (workload, metrics) -> metrics.map { it to workload } }.groupBy({ it.first }, { it.second })

    public val all: List<Metric> = writers.keys.toList()

    public val names: Set<String> = all.map { it.name }.toSet()
}
