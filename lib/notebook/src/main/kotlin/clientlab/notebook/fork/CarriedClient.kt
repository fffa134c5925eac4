package clientlab.notebook.fork

import clientlab.client.CellClient
import clientlab.notebook.LabException
import org.objectweb.asm.ClassReader
import org.objectweb.asm.Type
import java.io.NotSerializableException
import java.io.ObjectOutputStream
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.outputStream
import kotlin.io.path.writeBytes

/**
 * A client from a notebook cell, written down so that a trial JVM can open it: the object by Java serialization, and the bytes of every
 * class of a cell that it refers to.
 *
 * @property classes the folder to put last on the fork's classpath; [file] the serialized client.
 * @property warnings what the reader should know, each a sentence.
 */
internal class CarriedClient private constructor(
    val classes: Path,
    val file: Path,
    val warnings: List<String>,
) {
    companion object {
        /** Writes [client] below [folder]; fails with one sentence where it holds what cannot be carried. */
        fun pack(client: CellClient, folder: Path): CarriedClient {
            val home = folder.resolve(client.info.id)
            val classes = home.resolve("classes").createDirectories()
            val file = home.resolve("client.bin")
            val serialized = serialize(client, file)
            val found = CellClasses().apply { serialized.forEach(::follow) }
            found.bytes.forEach { (name, bytes) ->
                val target = classes.resolve("$name.class")
                target.parent.createDirectories()
                target.writeBytes(bytes)
            }
            val warnings =
                found.singletons.map {
                    "The client '${client.info.id}' uses the object $it: each fork begins with a fresh one, so nothing comes back from it."
                }
            return CarriedClient(classes, file, warnings)
        }

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
            if (CellClasses.isOfCell(type) && '$' !in type) {
                "The client '${client.info.id}' uses a val, var or fun from the top of a cell, which stays in the notebook: copy it into " +
                    "the client's own scope, as in run { val limit = limit; blockingClient(…) }, or write the client as a class."
            } else {
                "The client '${client.info.id}' holds a ${type.substringAfterLast('.')}, which cannot be carried into a fork: " +
                    "make it inside the call, or open it in ownClient(\"…\") { conditions -> … }."
            }
    }
}

/** Classes that cells compiled, found by following the references of one to the others. */
private class CellClasses {
    val bytes = LinkedHashMap<String, ByteArray>()
    val singletons = LinkedHashSet<String>()

    /** Takes in [type], where it comes from a cell, and every class of a cell that it names. */
    fun follow(type: Class<*>) {
        val name = Type.getInternalName(type)
        if (!isOfCell(type.name) || name in bytes) return
        val loader = type.classLoader
        val own = loader.getResourceAsStream("$name.class")?.use { it.readBytes() } ?: return
        bytes[name] = own
        if (isSingleton(type)) singletons += type.simpleName
        for (reference in references(own)) {
            if (isOfCell(reference.replace('/', '.'))) {
                runCatching { Class.forName(reference.replace('/', '.'), false, loader) }.onSuccess(::follow)
            }
        }
    }

    private fun isSingleton(type: Class<*>) =
        runCatching { type.declaredFields.any { it.name == "INSTANCE" || it.name == "Companion" } && '$' in type.name }.getOrDefault(false) &&
            !java.io.Serializable::class.java.isAssignableFrom(type)

    /** Internal names of the classes in the constant pool of [code]. */
    private fun references(code: ByteArray): Set<String> {
        val reader = ClassReader(code)
        val buffer = CharArray(reader.maxStringLength)
        val names = LinkedHashSet<String>()
        for (item in 1 until reader.itemCount) {
            val at = reader.getItem(item)
            if (at == 0) continue
            if (reader.readByte(at - 1) == CLASS) names += reader.readUTF8(at, buffer).orEmpty()
        }
        return names.map { it.removePrefix("[L").removeSuffix(";") }.toSet()
    }

    companion object {
        private val OF_CELL = Regex("(.*[./])?Line_\\d+_jupyter(\\$.*)?")
        private const val CLASS = 7

        /** Whether [className] is a class that the kernel compiled from a cell. */
        fun isOfCell(className: String): Boolean = OF_CELL.matches(className)
    }
}
