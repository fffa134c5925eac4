package clientlab.notebook.fork

import clientlab.workload.Peer

/** What runs beside the delay server, each started when a trial first needs it and ended with the run. */
internal class Peers : AutoCloseable {
    private val started = mutableMapOf<Peer, Pair<String, AutoCloseable>>()

    /** Where each of [wanted] is. */
    fun of(wanted: Set<Peer>): Map<Peer, String> = wanted.associateWith { peer -> started.getOrPut(peer) { start(peer) }.first }

    private fun start(peer: Peer): Pair<String, AutoCloseable> =
        when (peer) {
            Peer.Jetty -> TODO("server/jetty")
            Peer.Gateway -> TODO("lib/gateway")
        }

    override fun close(): Unit = started.values.forEach { it.second.close() }
}
