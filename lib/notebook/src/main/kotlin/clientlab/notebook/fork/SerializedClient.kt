package clientlab.notebook.fork

import clientlab.*
import clientlab.notebook.home.*
import clientlab.notebook.jars.*
import clientlab.notebook.journal.*
import java.io.NotSerializableException
import java.io.ObjectOutputStream
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.createParentDirectories
import kotlin.io.path.exists
import kotlin.io.path.fileSize
import kotlin.io.path.name
import kotlin.io.path.outputStream
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

/**
 * A client from a notebook cell, stored in [home] so that a trial JVM can open it: the serialized object, the bytes of every cell class
 * that it refers to, the text of those cells, and the libraries that it needs.
 *
 * [kept] lists its files; it is null for a run from before there was such a list. [warnings] are sentences for the reader.
 */
internal class SerializedClient private constructor(
    val id: String,
    private val home: Path,
    val kept: SerializedFiles?,
    private val libraries: List<Path>,
    val warnings: List<String>,
) {
    /** The folder of its classes, and the serialized client. */
    val classes: Path get() = home.resolve(CLASSES)
    val file: Path get() = home.resolve(CLIENT)

    /**
     * The classpath of its forks: [built] and its classes; if it has libraries of its own, those, its classes, and core alone from [built].
     */
    fun classpath(built: List<Path>): List<Path> =
        (if (libraries.isEmpty()) built else built.filter(ForkSight::isCore) + libraries) + listOf(classes)

    companion object {
        /** Writes [client] below [folder]. Fails with one sentence if it holds something that cannot be serialized. */
        fun pack(client: OwnClient, folder: Path, seen: ForkSight, store: JarStore = JarStore()): SerializedClient {
            val id = client.info.id
            val home = folder.resolve(id)
            home.resolve(CLASSES).createDirectories()
            val serialized = serialize(client, home.resolve(CLIENT))
            val found = CellClasses(seen).apply { serialized.forEach(::follow) }
            found.bytes.forEach { (name, bytes) -> home.resolve("$CLASSES/$name.class").createParentDirectories().writeBytes(bytes) }
            found.bytes.keys.map { it.replace('/', '.').substringBefore('$') }.toSet().forEach { cell ->
                CellSources.of(cell)?.let { home.resolve("$CELLS/$cell.kts").createParentDirectories().writeText(it) }
            }
            val (artifacts, plain) = libraries(id, found.libraries.jars, home, store)
            val warnings = found.singletons.map {
                "The client '$id' uses the object $it: each fork begins with a fresh one, and its state stays in the fork."
            }
            val kept = SerializedFiles.of(home, Runtime.version().feature(), artifacts)
            return SerializedClient(id, home, kept, store.jars(artifacts) + plain, warnings)
        }

        /** The client [id] as it was packed below [folder] before, or null. Its files must match the manifest's list [kept]. */
        fun packed(id: String, folder: Path, kept: SerializedFiles?, store: JarStore = JarStore()): SerializedClient? {
            val home = folder.resolve(id)
            if (!home.resolve(CLIENT).exists()) return null
            kept?.let { check(id, it, home) }
            val libraries = kept?.artifacts?.let(store::jars).orEmpty() + home.resolve(JARS).entries("*.jar")
            return SerializedClient(id, home, kept, libraries, emptyList())
        }

        /** Refuses a client whose files have changed, or that this Java cannot run. */
        fun check(id: String, kept: SerializedFiles, home: Path) {
            kept.changedIn(home)?.let {
                throw LabException(
                    "$it of the client '$id' in $home is not what its manifest names, so the client is not run: restore that folder from git, or from your copy of the run.",
                )
            }
            val here = Runtime.version().feature()
            val needs = kept.java
            if (here >= needs) return
            throw LabException(
                "The client '$id' was compiled for Java $needs, and this is Java $here: set JAVA_HOME to one of $needs or newer.",
            )
        }

        /** The artifacts among [jars] with their hashes, and copies of the jars that have no coordinates. */
        private fun libraries(id: String, jars: Set<Path>, home: Path, store: JarStore): Pair<Map<String, String>, List<Path>> {
            val artifacts = jars.associateWith(CellLibraries::artifactOf)
            val plain = jars.filter { artifacts[it] == null }
            plain.firstOrNull { it.fileSize() > MOST_BYTES }?.let {
                throw LabException(
                    "The client '$id' uses ${it.name}, which has no coordinates to be fetched by and is larger than ${MOST_BYTES shr 20} " +
                        "MiB: load it as @file:DependsOn(\"group:name:version\"), or make it smaller.",
                )
            }
            val hashes = buildMap { artifacts.forEach { (jar, artifact) -> artifact?.let { put(it, store.add(it, jar)) } } }
            return hashes to plain.map { it.copyTo(home.resolve("$JARS/${it.name}").createParentDirectories(), overwrite = true) }
        }

        /** Serializes [client] into [file] and returns the classes of the objects in it. */
        private fun serialize(client: OwnClient, file: Path): Set<Class<*>> {
            val seen = LinkedHashSet<Class<*>>()
            val stream = object : ObjectOutputStream(file.outputStream()) {
                override fun annotateClass(cl: Class<*>) {
                    seen += cl
                }
            }
            try {
                stream.use { it.writeObject(client.client) }
            } catch (e: NotSerializableException) {
                // Without its cause, which a notebook would print behind the sentence.
                throw LabException(whyNot(client.info.id, e.message.orEmpty()))
            }
            return seen
        }

        private fun whyNot(id: String, type: String): String {
            val name = type.substringAfterLast('.').substringAfterLast('$')
            val ofTop =
                "uses a val, var or fun from the top of a cell, which stays in the notebook: copy it into the client's own scope, as " +
                    "in run { val limit = limit; blockingClient(…) }, or write the client as a class."
            val ofCell = "holds a $name, a class of a cell that is not serializable: write it as class $name : java.io.Serializable, or " +
                "make it inside the call."
            val ofLibrary = "holds a $name, which cannot be serialized for a fork: make it inside the call, or open it in " +
                "ownClient(\"…\") { conditions -> … }."
            val why = if (CellClasses.isCell(type)) {
                ofTop
            } else if (CellClasses.isOfCell(type)) {
                ofCell
            } else {
                ofLibrary
            }
            return "The client '$id' $why"
        }

        private const val CLASSES = "classes"
        private const val CLIENT = "client.bin"
        private const val CELLS = "cells"
        private const val JARS = "jars"
        private const val MOST_BYTES = 1L shl 20
    }
}
