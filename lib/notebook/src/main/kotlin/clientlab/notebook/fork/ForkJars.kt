package clientlab.notebook.fork

import clientlab.ClientInfo
import clientlab.notebook.catalogue.VersionLock
import clientlab.notebook.catalogue.requireLocked
import clientlab.notebook.jars.JarStore
import java.nio.file.Path
import kotlin.io.path.name

/**
 * The classpath of each client's forks: that of the build for most, and for a client in another version core, the adapters and the jars
 * that the lock names for it, in place of everything else.
 *
 * @property libraries by client, the artifacts of the versions that clients name; empty where none does.
 */
internal class ForkJars private constructor(
    private val built: List<Path>,
    private val versioned: Map<String, List<Path>>,
    val libraries: Map<String, List<String>>,
) {
    /** The classpath of a fork that measures [client]; null stands for none. */
    fun of(client: String?): List<Path> = versioned[client] ?: built

    /** Every jar that some fork depends on, each once. */
    val all: List<Path> get() = (built + versioned.values.flatten()).distinct()

    companion object {
        /** Finds them for [clients], and fetches what is not there yet; fails with one sentence where that cannot be. */
        fun of(clients: List<ClientInfo>, store: JarStore = JarStore()): ForkJars {
            val built = TrialJvm.classpath()
            val asked = clients.mapNotNull { client -> client.version?.let { client to it } }
            if (asked.isEmpty()) return ForkJars(built, emptyMap(), emptyMap())
            val own = built.filter { jar -> OURS.any { jar.name.startsWith(it) } }
            val lock = VersionLock.read()
            val artifacts = asked.associate { (client, version) -> client.id to client.requireLocked(lock, version) }
            val found = artifacts.values.distinct().associateWith(store::jars)
            return ForkJars(built, artifacts.mapValues { own + found.getValue(it.value) }, artifacts.mapValues { it.value.keys.toList() })
        }

        /** How the jars of core and of the adapters begin, and what core needs that no client brings. */
        private val OURS = listOf("client-lab-", "HdrHistogram-")
    }
}
