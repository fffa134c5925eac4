package clientlab.notebook.fork

import clientlab.notebook.home.*
import java.net.JarURLConnection
import java.net.URL
import java.nio.file.Path
import java.util.jar.JarFile
import kotlin.io.path.name
import kotlin.io.path.toPath

/**
 * The jars of a client's classes, apart from the JDK, core and the notebook: those that a cell loaded for it, and the jars that their
 * classes refer to.
 *
 * A class that only a text names, for reflection, is not found; only running the client would show it.
 */
internal class CellLibraries(private val fork: ForkSight) {
    private val found = LinkedHashSet<Path>()

    /** All jars found so far, in the order of discovery. */
    val jars: List<Path> get() = found.toList()

    /** Adds the jar in which [loader] finds [internalName]. Returns whether that jar goes along with the client. */
    fun takeIn(internalName: String, loader: ClassLoader): Boolean {
        if (fork.seesOfCore(internalName)) return false
        val jar = jarOf(internalName, loader) ?: return false
        if (found.add(jar)) referencesOf(jar).forEach { takeIn(it, loader) }
        return true
    }

    private fun referencesOf(jar: Path): Set<String> =
        JarFile(jar.toFile()).use { file ->
            file
                .entries()
                .asSequence()
                .filter { it.name.endsWith(".class") && !it.name.startsWith("META-INF/") && !it.name.endsWith("module-info.class") }
                .flatMapTo(LinkedHashSet()) { entry -> ClassReferences.of(file.getInputStream(entry).use { it.readBytes() }) }
        }

    private fun jarOf(internalName: String, loader: ClassLoader): Path? {
        val file = "$internalName.class"
        // The kernel's own jars are not libraries of a cell.
        if (ClassLoader.getSystemClassLoader().getResource(file) != null) return null
        return loader.getResource(file)?.let(::jarAt)?.takeIf { it != OWN }
    }

    companion object {
        private val OWN: Path? = runCatching {
            LabHome::class.java.protectionDomain.codeSource.location
                .toURI()
                .toPath()
                .toRealPath()
        }.getOrNull()
        private val REPOSITORIES = setOf("repository", "maven_repository", "maven2")

        private fun jarAt(place: URL): Path? =
            (place.openConnection() as? JarURLConnection)
                ?.jarFileURL
                ?.toURI()
                ?.toPath()
                ?.toRealPath()

        /** The artifact `group:name:version` of [jar], from its place in a Maven repository; null if it is not in one. */
        fun artifactOf(jar: Path): String? {
            val folders = jar.parent.map { it.name }
            val root = folders.indexOfLast { it in REPOSITORIES }
            val inside = folders.drop(root + 1)
            if (root < 0 || inside.size < LEAST) return null
            val (name, version) = inside.takeLast(2)
            if (jar.name != "$name-$version.jar") return null
            return "${inside.dropLast(2).joinToString(".")}:$name:$version"
        }

        private const val LEAST = 3
    }
}
