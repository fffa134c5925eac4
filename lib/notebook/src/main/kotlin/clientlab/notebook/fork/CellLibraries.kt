package clientlab.notebook.fork

import clientlab.notebook.home.*
import org.objectweb.asm.ClassReader
import java.net.JarURLConnection
import java.nio.file.Path
import java.util.jar.JarFile
import kotlin.io.path.name
import kotlin.io.path.toPath

/** The jars that a cell loaded for a client, and those that their classes refer to. A class that only a text names is not found. */
internal class CellLibraries(private val fork: ForkSight) {
    /** All jars found so far, in the order of discovery. */
    val jars = LinkedHashSet<Path>()

    /** Adds the jar in which [loader] finds [internalName]. Returns whether that jar goes along with the client. */
    fun takeIn(internalName: String, loader: ClassLoader): Boolean {
        if (fork.seesOfCore(internalName)) return false
        val jar = jarOf("$internalName.class", loader) ?: return false
        if (jars.add(jar)) referencesOf(jar).forEach { takeIn(it, loader) }
        return true
    }

    private fun referencesOf(jar: Path): Set<String> = JarFile(jar.toFile()).use { file ->
        val classes = file.entries().asSequence().filter { it.name.endsWith(".class") && !it.name.startsWith("META-INF/") }
        val own = classes.filterNot { it.name.endsWith("module-info.class") }
        own.flatMapTo(LinkedHashSet()) { entry -> classReferences(file.getInputStream(entry).use { it.readBytes() }) }
    }

    private fun jarOf(file: String, loader: ClassLoader): Path? {
        // The kernel's own jars are not libraries of a cell.
        if (ClassLoader.getSystemClassLoader().getResource(file) != null) return null
        val place = (loader.getResource(file)?.openConnection() as? JarURLConnection)?.jarFileURL ?: return null
        return place.toURI().toPath().toRealPath().takeIf { it != OWN }
    }

    companion object {
        private val OWN: Path? = ownJar()?.toRealPath()
        private val REPOSITORIES = setOf("repository", "maven_repository", "maven2")
        private const val LEAST = 3

        /** The artifact `group:name:version` of [jar], from its place in a Maven repository; null if it is not in one. */
        fun artifactOf(jar: Path): String? {
            val folders = jar.parent.map { it.name }
            val root = folders.indexOfLast { it in REPOSITORIES }
            val inside = folders.drop(root + 1)
            if (root < 0 || inside.size < LEAST) return null
            val (name, version) = inside.takeLast(2)
            return "${inside.dropLast(2).joinToString(".")}:$name:$version".takeIf { jar.name == "$name-$version.jar" }
        }
    }
}

/** Internal names of the classes in the constants of [code]; for an array, its element type. */
internal fun classReferences(code: ByteArray): Set<String> {
    val reader = ClassReader(code)
    val buffer = CharArray(reader.maxStringLength)
    val names = (1 until reader.itemCount).map(reader::getItem).filter { it > 0 && reader.readByte(it - 1) == CLASS_CONSTANT }
    return names.mapTo(LinkedHashSet()) { at ->
        val name = reader.readUTF8(at, buffer).orEmpty().trimStart('[')
        if (name.endsWith(";")) name.drop(1).dropLast(1) else name
    }
}

private const val CLASS_CONSTANT = 7
