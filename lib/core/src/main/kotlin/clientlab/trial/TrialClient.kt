package clientlab.trial

import clientlab.*
import clientlab.client.*
import java.io.ObjectInputStream
import java.nio.file.Path
import java.util.ServiceLoader
import kotlin.io.path.inputStream

/** The client under test: read from its file where a notebook cell wrote it, and else from the catalogue on the classpath. */
internal fun TrialSpec.client(): Client {
    serializedClient?.let { file -> return ObjectInputStream(Path.of(file).inputStream()).use { it.readObject() as Client } }
    // A version changes the classpath only: the adapter is the same.
    val id = treatment.client?.let { ClientInfo.unversioned(it) }
    val entries: List<CatalogueEntry> = ServiceLoader.load(ClientCatalogue::class.java).flatMap { it.entries }
    val entry = entries.firstOrNull { it.info.id == id }
    refuseUnless(entry != null) { "No client '$id' on this classpath; it has ${entries.joinToString { it.info.id }}." }
    return entry!!.create()
}
