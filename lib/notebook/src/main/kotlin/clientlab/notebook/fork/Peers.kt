package clientlab.notebook.fork

import clientlab.*
import clientlab.child.*
import kotlinx.serialization.json.jsonPrimitive
import java.io.File

/** The programs beside the delay server: each is started when a trial first needs it or if it has ended, and ended with the run. */
internal class Peers : AutoCloseable {
    private class Running(val address: String, val process: ChildProcess?)

    private val started = mutableMapOf<Peer, Running>()

    /** The address of each of [wanted]. */
    fun of(wanted: Set<Peer>): Map<Peer, String> = wanted.associateWith { running(it).address }

    private fun running(peer: Peer): Running {
        started[peer]?.let { if (it.process?.alive != false) return it else it.process.close() }
        return start(peer).also { started[peer] = it }
    }

    private fun start(peer: Peer): Running = when (peer) {
        Peer.Jetty -> jetty()

        // The trial that loads the gateway starts and ends it, so a run only has to know its jars.
        Peer.Gateway -> Running(builtJars("lib/gateway/target/gateway", "The gateway has", "it").joinToString(File.pathSeparator), null)
    }

    /** Ktor on Jetty, the server of source 004, with the source's options and a heap that does not depend on the machine. */
    private fun jetty(): Running {
        val (child, ready) = startServer(
            "The Jetty server",
            builtJar("The Jetty server", "server/jetty/target/jetty-server.jar"),
            listOf("-Xmx512m", "-XX:-UsePerfData"),
        )
        val (host, port) = listOf("host", "port").map { ready.getValue(it).jsonPrimitive.content }
        return Running("http://$host:$port", child)
    }

    override fun close(): Unit = started.values.forEach { it.process?.close() }
}
