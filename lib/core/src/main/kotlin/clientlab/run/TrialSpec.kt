package clientlab.run

import clientlab.Treatment
import clientlab.probe.ServerAddress
import clientlab.workload.Workload
import kotlinx.serialization.Serializable

/**
 * All that a trial JVM is told: one line of JSON on its standard input. It answers with one line a [clientlab.Trial].
 *
 * @property carried the file of a client that was carried here from a notebook cell, or null where the catalogue has it.
 */
@Serializable
public data class TrialSpec(
    val experiment: String,
    val round: Int,
    val workload: Workload,
    val treatment: Treatment,
    val server: ServerAddress,
    val carried: String? = null,
)
