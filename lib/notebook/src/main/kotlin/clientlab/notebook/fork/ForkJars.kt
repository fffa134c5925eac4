package clientlab.notebook.fork

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.jars.*
import clientlab.transfer.*
import java.nio.file.Path
import kotlin.io.path.name

/**
 * The classpath of the forks of each client or I/O API: the build's, or for one in another version core, the adapters and the jars that the
 * lock names. [libraries] has the artifacts of each one whose id names a version.
 */
internal class ForkJars private constructor(
    private val built: List<Path>,
    private val versioned: Map<String, List<Path>>,
    val libraries: Map<String, List<String>>,
) {
    /** The classpath of a fork for [treatment]. */
    fun of(treatment: Treatment): List<Path> = versioned[treatment[Factor.CLIENT]] ?: versioned[treatment[Factor.IO_API]] ?: built

    /** The classpath of a fork whose libraries have the lab's own versions. */
    fun built(): List<Path> = built

    /** Every jar of any fork, without duplicates. */
    val all: List<Path> get() = (built + versioned.values.flatten()).distinct()

    companion object {
        /** Finds them for what [workload] measures, and fetches missing jars. Fails with one sentence if it cannot. */
        fun of(workload: Workload, store: JarStore = JarStore()): ForkJars {
            val built = TrialJvm.classpath()
            val own = built.filter { jar -> OURS.any { jar.name.startsWith(it) } }
            val lock by lazy { VersionLock.read() }
            val artifacts = buildMap {
                workload.clients.forEach { client -> client.version?.let { put(client.id, client.requireLocked(lock, it)) } }
                val ioApis = (workload as? Transfer)?.ioApis.orEmpty()
                ioApis.forEach { api -> api.version?.let { put(api.id, api.requireLocked(lock, it)) } }
            }
            val found = artifacts.values.distinct().associateWith(store::jars)
            return ForkJars(built, artifacts.mapValues { own + found.getValue(it.value) }, artifacts.mapValues { it.value.keys.toList() })
        }

        /** The first letters of the jars of core and the adapters, and of dependencies of core that no client brings. */
        private val OURS = listOf("client-lab-", "HdrHistogram-")
    }
}
