package clientlab.clients

import clientlab.ClientInfo
import clientlab.Start
import clientlab.Trial
import clientlab.Workload
import clientlab.burst.Burst
import clientlab.trial.TrialSpec
import clientlab.workloads.ExperimentJson

/** The trial of the one treatment of [workload] in a JVM of its own, begun and not yet answered. */
internal fun begun(workload: Workload, server: RealServer, round: Int = 0): ChildJvm {
    val treatment = workload.treatments.single()
    val child = ChildJvm("clientlab.workloads.TrialMainKt", emptyList(), workload.jvmArgs(treatment))
    child.say(ExperimentJson.encodeToString(TrialSpec("test", round, workload, treatment, server.address)))
    return child
}

/** What came of a workload that has one measured trial and no warm-up. */
internal fun measured(workload: Workload, server: RealServer): Trial =
    begun(workload, server).use { ExperimentJson.decodeFromString<Trial>(it.line()) }

/** The trials that [this] child still has to tell: the warm-up first, where there is one. */
internal fun ChildJvm.trials(burst: Burst): List<Trial> =
    List(if (burst.start.single() == Start.Warm) 2 else 1) { ExperimentJson.decodeFromString<Trial>(line()) }

internal fun info(id: String): ClientInfo = Catalogue().entries.map { it.info }.single { it.id == id }

/** The ids of the clients whose limits are all opened. */
internal fun openedIds(): List<String> =
    Catalogue()
        .entries
        .map { it.info }
        .filter { it.configuration == ClientInfo.OPENED }
        .map { it.id }
