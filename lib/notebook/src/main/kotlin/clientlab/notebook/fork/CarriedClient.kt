package clientlab.notebook.fork

import clientlab.client.CellClient
import clientlab.notebook.LabException
import java.io.NotSerializableException
import java.io.ObjectOutputStream
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.outputStream
import kotlin.io.path.writeBytes

/**
 * A client from a notebook cell, written down so that a trial JVM can open it: the object by Java serialization, and the bytes of every
 * class of a cell that it refers to.
 *
 * @property id of the client.
 * @property classes the folder to put last on the fork's classpath; [file] the serialized client.
 * @property warnings what the reader should know, each a sentence.
 */
internal class CarriedClient private constructor(
    val id: String,
    val classes: Path,
    val file: Path,
    val warnings: List<String>,
) {
    companion object {
        /** Writes [client] below [folder]; fails with one sentence where it holds what cannot be carried. */
        fun pack(client: CellClient, folder: Path, seen: ForkSight): CarriedClient {
            val (classes, file) = places(client.info.id, folder)
            classes.createDirectories()
            val serialized = serialize(client, file)
            val found = CellClasses(seen).apply { serialized.forEach(::follow) }
            found.bytes.forEach { (name, bytes) ->
                val target = classes.resolve("$name.class")
                target.parent.createDirectories()
                target.writeBytes(bytes)
            }
            val warnings =
                found.singletons.map {
                    "The client '${client.info.id}' uses the object $it: each fork begins with a fresh one, so nothing comes back from it."
                }
            return CarriedClient(client.info.id, classes, file, warnings)
        }

        /**
         * The client [id] as it was packed below [folder] before, or null where it was not: a run that is resumed goes on with the code that
         * it began with, whatever the cell says by now.
         */
        fun packed(id: String, folder: Path): CarriedClient? {
            val (classes, file) = places(id, folder)
            return if (file.exists()) CarriedClient(id, classes, file, emptyList()) else null
        }

        private fun places(id: String, folder: Path): Pair<Path, Path> =
            folder.resolve(id).let { home -> home.resolve("classes") to home.resolve("client.bin") }

        /** Serializes [client] into [file] and returns the classes of the objects that went into it. */
        private fun serialize(client: CellClient, file: Path): Set<Class<*>> {
            val seen = LinkedHashSet<Class<*>>()
            val stream =
                object : ObjectOutputStream(file.outputStream()) {
                    override fun annotateClass(cl: Class<*>) {
                        seen += cl
                    }
                }
            try {
                stream.use { it.writeObject(client) }
            } catch (e: NotSerializableException) {
                throw LabException(whyNot(client, e.message.orEmpty()), e)
            }
            return seen
        }

        private fun whyNot(client: CellClient, type: String): String =
            if (CellClasses.isCell(type)) {
                "The client '${client.info.id}' uses a val, var or fun from the top of a cell, which stays in the notebook: copy it into " +
                    "the client's own scope, as in run { val limit = limit; blockingClient(…) }, or write the client as a class."
            } else {
                "The client '${client.info.id}' holds a ${type.substringAfterLast('.')}, which cannot be carried into a fork: " +
                    "make it inside the call, or open it in ownClient(\"…\") { conditions -> … }."
            }
    }
}
