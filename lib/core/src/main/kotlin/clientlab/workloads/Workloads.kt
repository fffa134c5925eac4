package clientlab.workloads

import clientlab.*
import clientlab.audit.*
import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.gatewayload.*
import clientlab.idle.*
import clientlab.openloop.*
import clientlab.resourcelimits.*
import clientlab.tasks.*
import clientlab.transfer.*
import clientlab.trial.*
import kotlinx.serialization.KSerializer
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.SerializersModuleBuilder
import kotlin.reflect.KClass

/**
 * Every workload, one line each: the only place that names all of them.
 *
 * To add a workload, add a folder and a line here. The folder has four things, as [clientlab.closedloop] has them:
 *
 * 1. the workload: a serializable data class that implements [Workload], with its factors, its treatments and a `@SerialName`;
 * 2. the load: what is sent, and what becomes of it;
 * 3. the metrics: a [MetricList] of exactly those that a trial writes;
 * 4. the trial: it does the load within a [TrialScope], judges it, and keeps a trial. The kit in [clientlab.trial] has the parts that trials
 *    share: reasons from evidence, a wait for a plateau, child JVMs, latencies and processor time.
 *
 * Nothing else has to be told: manifests read and write the workload, a precision accepts its metrics, and `data/README.md` lists them.
 */
public object Workloads {
    private val all: List<Kind<*>> =
        listOf(
            kind(Burst.serializer(), BurstMetrics) { burstTrial(this, it) },
            kind(Tasks.serializer(), TasksMetrics) { TasksTrial(this).run() },
            kind(IdleTasks.serializer(), IdleTasksMetrics) { IdleTasksTrial(this).run() },
            kind(Transfer.serializer(), TransferMetrics) { TransferTrial(this, it).run() },
            kind(GatewayLoad.serializer(), GatewayLoadMetrics) { GatewayLoadTrial(this, it).run() },
            kind(ClosedLoop.serializer(), ClosedLoopMetrics) { ClosedLoopTrial(this, it).run() },
            kind(OpenLoop.serializer(), OpenLoopMetrics) { OpenLoopTrial(this, it).run() },
            kind(Audit.serializer(), AuditMetrics) { AuditTrial(this, it).run() },
            kind(ResourceLimits.serializer(), ResourceLimitsMetrics) { ResourceLimitsTrial(this, it).run() },
        )

    /** What reads and writes a [Workload] by its serialized name. */
    public val serializers: SerializersModule = SerializersModule { all.forEach { it.register(this) } }

    /** The metrics that each workload writes, by the workload's name in a manifest. */
    internal val metrics: Map<String, List<Metric>> = all.associate { it.name to it.metrics.list }

    /** Runs the trials of one fork in this JVM. */
    internal fun run(scope: TrialScope): Unit = all.first { it.type.isInstance(scope.spec.workload) }.run(scope)

    private inline fun <reified W : Workload> kind(
        serializer: KSerializer<W>,
        metrics: MetricList,
        noinline trial: TrialScope.(W) -> Unit,
    ) = Kind(W::class, serializer, metrics, trial)

    private class Kind<W : Workload>(
        val type: KClass<W>,
        private val serializer: KSerializer<W>,
        val metrics: MetricList,
        private val trial: TrialScope.(W) -> Unit,
    ) {
        val name: String get() = serializer.descriptor.serialName

        fun register(module: SerializersModuleBuilder) = module.polymorphic(Workload::class, type, serializer)

        @Suppress("UNCHECKED_CAST")
        fun run(scope: TrialScope) = scope.trial(scope.spec.workload as W)
    }
}
