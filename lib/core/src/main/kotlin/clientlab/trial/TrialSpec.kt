package clientlab.trial

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.io.ObjectInputStream
import java.nio.file.Path
import java.util.ServiceLoader
import kotlin.io.path.inputStream

/**
 * The task of a trial JVM: one line of JSON on its standard input. [peers] have a base address or a classpath each.
 *
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

/** The client under test: read from its file where a notebook cell wrote it, and else from the catalogue on the classpath. */
internal fun TrialSpec.client(): Client {
    serializedClient?.let { file -> return ObjectInputStream(Path.of(file).inputStream()).use { it.readObject() as Client } }
    return catalogued(treatment.client.orEmpty())
}

/** The client [client] of the catalogue on the classpath. A version changes the classpath only: the adapter is the same. */
internal fun catalogued(client: String): Client {
    val id = ClientInfo.unversioned(client)
    val entries: List<CatalogueEntry> = ServiceLoader.load(ClientCatalogue::class.java).flatMap { it.entries }
    val entry = entries.firstOrNull { it.info.id == id }
    return entry?.create() ?: throw LabException("No client '$id' on this classpath; it has ${entries.joinToString { it.info.id }}.")
}

/** A probe that knows the threads of the client [info], and the frames that stand on a thread while one of its requests is under way. */
internal fun threadProbeOf(info: ClientInfo): ThreadProbe =
    ThreadProbe(ThreadOwners(info.owners)) { frame -> frame.startsWith(BLOCKING) || info.callFrames.any { frame.startsWith(it) } }

private val BLOCKING: String = BlockingSession::class.java.name
