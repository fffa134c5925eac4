package clientlab.notebook.fork

import clientlab.*
import clientlab.notebook.home.*
import java.io.File
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** The classpath of a gateway. The trial that loads the gateway starts and ends it, so a run only has to know its jars. */
internal class GatewayJars private constructor(override val address: String) : PeerProcess {
    override val alive: Boolean get() = true

    override fun close() {}

    companion object {
        /** Finds them. Fails with one sentence if they are not built. */
        fun found(): GatewayJars {
            val folder = LabHome.root.resolve("lib/gateway/target/gateway")
            val jars = if (folder.isDirectory()) folder.listDirectoryEntries("*.jar").sortedBy { it.name } else emptyList()
            if (jars.isEmpty()) throw LabException("The gateway has not been built: run ./lab run once, which builds it.")
            return GatewayJars(jars.joinToString(File.pathSeparator))
        }
    }
}
