package clientlab.trial

import clientlab.*
import clientlab.probe.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * The task of a trial JVM: one line of JSON on its standard input. It answers with one line per [clientlab.Trial].
 *
 * @property peers the programs beside the delay server: a base address or a classpath each.
 * @property serializedClient the file of a client that was serialized in a notebook cell, or null where the catalogue has it.
 */
@Serializable
public data class TrialSpec(
    val experiment: String,
    val round: Int,
    val workload: Workload,
    val treatment: Treatment,
    val server: ServerAddress,
    val peers: Map<Peer, String> = emptyMap(),
    @SerialName("carried") val serializedClient: String? = null,
)
