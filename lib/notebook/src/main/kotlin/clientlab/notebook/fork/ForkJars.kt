package clientlab.notebook.fork

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.jars.*
import java.nio.file.Path
import kotlin.io.path.name

/**
 * The classpath of each client's forks: the build's, or for a client in another version core, the adapters and the jars that the lock
 * names. [libraries] has the artifacts per client whose id names a version.
 */
internal class ForkJars private constructor(
    private val built: List<Path>,
    private val versioned: Map<String, List<Path>>,
    val libraries: Map<String, List<String>>,
) {
    /** The classpath of a fork that measures [client]; null for a fork without a client. */
    fun of(client: String?): List<Path> = versioned[client] ?: built

    /** Every jar of any fork, without duplicates. */
    val all: List<Path> get() = (built + versioned.values.flatten()).distinct()

    companion object {
        /** Finds them for [clients], and fetches missing jars. Fails with one sentence if it cannot. */
        fun of(clients: List<ClientInfo>, store: JarStore = JarStore()): ForkJars {
            val built = TrialJvm.classpath()
            val own = built.filter { jar -> OURS.any { jar.name.startsWith(it) } }
            val lock by lazy { VersionLock.read() }
            val artifacts = buildMap {
                clients.forEach { client -> client.version?.let { put(client.id, client.requireLocked(lock, it)) } }
            }
            val found = artifacts.values.distinct().associateWith(store::jars)
            return ForkJars(built, artifacts.mapValues { own + found.getValue(it.value) }, artifacts.mapValues { it.value.keys.toList() })
        }

        /** The first letters of the jars of core and the adapters, and of dependencies of core that no client brings. */
        private val OURS = listOf("client-lab-", "HdrHistogram-")
    }
}
