package clientlab.workloads

import clientlab.Trial
import clientlab.Workload
import clientlab.audit.Audit
import clientlab.audit.AuditTrial
import clientlab.burst.Burst
import clientlab.burst.burstTrial
import clientlab.closedloop.ClosedLoop
import clientlab.closedloop.ClosedLoopTrial
import clientlab.gatewayload.GatewayLoad
import clientlab.gatewayload.GatewayLoadTrial
import clientlab.idle.IdleTasks
import clientlab.idle.IdleTasksTrial
import clientlab.openloop.OpenLoop
import clientlab.openloop.OpenLoopTrial
import clientlab.probe.ServerProbe
import clientlab.resourcelimits.ResourceLimits
import clientlab.resourcelimits.ResourceLimitsTrial
import clientlab.tasks.Tasks
import clientlab.tasks.TasksTrial
import clientlab.transfer.Transfer
import clientlab.transfer.TransferTrial
import clientlab.trial.TrialSpec
import clientlab.trial.client
import kotlinx.serialization.KSerializer
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.SerializersModuleBuilder
import kotlin.reflect.KClass

/** Every workload, a line each. */
public object Workloads {
    private val all: List<Kind<*>> =
        listOf(
            kind(Burst.serializer()) { burst, spec, server, keep -> burstTrial(spec, burst, server, keep) },
            kind(Tasks.serializer()) { tasks, spec, server, keep -> TasksTrial(spec, tasks, server).run(keep) },
            kind(IdleTasks.serializer()) { tasks, spec, _, keep -> IdleTasksTrial(spec, tasks).run(keep) },
            kind(Transfer.serializer()) { transfer, spec, server, keep -> TransferTrial(spec, transfer, spec::client, server).run(keep) },
            kind(GatewayLoad.serializer()) { load, spec, server, keep -> GatewayLoadTrial(spec, load, server).run(keep) },
            kind(OpenLoop.serializer()) { load, spec, server, keep -> OpenLoopTrial(spec, load, spec.client(), server).run(keep) },
            kind(ResourceLimits.serializer()) { limits, spec, server, keep -> ResourceLimitsTrial(spec, limits, server).run(keep) },
            kind(Audit.serializer()) { audit, spec, server, keep -> AuditTrial(spec, audit, spec.client(), server).run(keep) },
            kind(ClosedLoop.serializer()) { loop, spec, server, keep -> ClosedLoopTrial(spec, loop, spec.client(), server).run(keep) },
        )

    /** What reads and writes a [Workload] by its serialized name. */
    public val serializers: SerializersModule = SerializersModule { all.forEach { it.register(this) } }

    /** Runs the trial of [spec] in this JVM and hands each finished trial to [keep]; fails where one has a metric that is not declared. */
    internal fun run(spec: TrialSpec, server: ServerProbe, keep: (Trial) -> Unit) {
        val declared = spec.workload.metrics.map { it.name }
        all.first { it.type.isInstance(spec.workload) }.run(spec, server) { trial ->
            val unknown = trial.metrics.keys - declared.toSet()
            check(unknown.isEmpty()) { "The workload does not declare the metric '${unknown.first()}': add it to the list of its metrics." }
            keep(trial)
        }
    }

    private inline fun <reified W : Workload> kind(
        serializer: KSerializer<W>,
        noinline trial: (W, TrialSpec, ServerProbe, (Trial) -> Unit) -> Unit,
    ) = Kind(W::class, serializer, trial)

    private class Kind<W : Workload>(
        val type: KClass<W>,
        private val serializer: KSerializer<W>,
        private val trial: (W, TrialSpec, ServerProbe, (Trial) -> Unit) -> Unit,
    ) {
        fun register(module: SerializersModuleBuilder) = module.polymorphic(Workload::class, type, serializer)

        @Suppress("UNCHECKED_CAST")
        fun run(spec: TrialSpec, server: ServerProbe, keep: (Trial) -> Unit) = trial(spec.workload as W, spec, server, keep)
    }
}
