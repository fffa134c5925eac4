package clientlab.notebook.fork

import clientlab.*

/** A program beside the delay server: its address, and whether it still runs. */
internal interface PeerProcess : AutoCloseable {
    val address: String
    val alive: Boolean
}

/**
 * The programs beside the delay server. Each is started when a trial first needs it, started again if it has ended, and ended with the run.
 */
internal class Peers : AutoCloseable {
    private val started = mutableMapOf<Peer, PeerProcess>()

    /** The address of each of [wanted]. */
    fun of(wanted: Set<Peer>): Map<Peer, String> = wanted.associateWith { running(it).address }

    private fun running(peer: Peer): PeerProcess {
        started[peer]?.let { if (it.alive) return it else it.close() }
        return start(peer).also { started[peer] = it }
    }

    private fun start(peer: Peer): PeerProcess =
        when (peer) {
            Peer.Jetty -> JettyProcess.start()
            Peer.Gateway -> GatewayJars.found()
        }

    override fun close(): Unit = started.values.forEach { it.close() }
}
