package clientlab.notebook.fork

import clientlab.notebook.LabException
import clientlab.notebook.LabHome
import clientlab.workload.Peer
import java.io.File
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** A program beside the delay server: where it is, and whether it is there still. */
internal interface PeerProcess : AutoCloseable {
    val address: String
    val alive: Boolean
}

/** What runs beside the delay server, each started when a trial first needs it, again where it has ended, and ended with the run. */
internal class Peers : AutoCloseable {
    private val started = mutableMapOf<Peer, PeerProcess>()

    /** Where each of [wanted] is. */
    fun of(wanted: Set<Peer>): Map<Peer, String> = wanted.associateWith { running(it).address }

    private fun running(peer: Peer): PeerProcess {
        started[peer]?.let { if (it.alive) return it else it.close() }
        return start(peer).also { started[peer] = it }
    }

    private fun start(peer: Peer): PeerProcess =
        when (peer) {
            Peer.Jetty -> JettyProcess.start()
            Peer.Gateway -> GatewayFiles
        }

    override fun close(): Unit = started.values.forEach { it.close() }
}

/** A gateway is started by the trial that loads it; what a run has to know is where its jars are. */
private object GatewayFiles : PeerProcess {
    override val address: String
        get() {
            val folder = LabHome.root.resolve("lib/gateway/target/gateway")
            val jars = if (folder.isDirectory()) folder.listDirectoryEntries("*.jar").sortedBy { it.name } else emptyList()
            if (jars.isEmpty()) throw LabException("The gateway has not been built: run ./lab run once, which builds it.")
            return jars.joinToString(File.pathSeparator)
        }
    override val alive: Boolean get() = true

    override fun close() {}
}
