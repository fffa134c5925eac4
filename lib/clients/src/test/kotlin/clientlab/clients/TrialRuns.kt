package clientlab.clients

import clientlab.*
import clientlab.burst.*
import clientlab.trial.*
import clientlab.workloads.*

/** Starts the trial of the one treatment of [workload] in a JVM of its own; the caller reads its lines. */
internal fun begun(workload: Workload, server: RealServer, round: Int = 0): ChildJvm {
    val treatment = workload.treatments.single()
    val child = ChildJvm("clientlab.workloads.TrialMainKt", emptyList(), workload.jvmArgs(treatment))
    child.say(ExperimentJson.encodeToString(TrialSpec("test", round, workload, treatment, server.address)))
    return child
}

/** Runs a workload that has one measured trial and no warm-up. */
internal fun measured(workload: Workload, server: RealServer): Trial =
    begun(workload, server).use { LabJson.decodeFromString<Trial>(it.line()) }

/** The trials of [burst] that this child prints: the warm-up first, where there is one. */
internal fun ChildJvm.trials(burst: Burst): List<Trial> =
    List(if (burst.start.single() == Start.Warm) 2 else 1) { LabJson.decodeFromString<Trial>(line()) }
