package clientlab.testing

import clientlab.probe.*
import clientlab.server.*
import java.net.Socket

/** The real delay server in this process, on free ports; closed with the sockets that a test opened to it. */
internal class RunningServer(settings: ServerSettings = ServerSettings()) : AutoCloseable {
    private val server = DelayServer(settings)
    private val sockets = ArrayList<Socket>()
    val address: ServerAddress =
        server.start().let {
            ServerAddress(
                it.host,
                it.port,
                it.controlPort,
                it.token,
                it.tlsPort,
                it.certificate,
                hosts = it.hosts,
                http3Port = it.http3Port,
            )
        }

    fun probe() = ServerProbe(address)

    fun evidence() = server.evidence()

    /** A connection to the data port, seen by the server. */
    fun connect(): Socket {
        val open = server.evidence().connectionsOpen
        val socket = Socket(address.host, address.port).also { sockets += it }
        eventually { server.evidence().connectionsOpen > open }
        return socket
    }

    /** A request that waits for [seconds] on a connection of its own. */
    fun ask(seconds: Int): Socket =
        connect().apply {
            getOutputStream().write("GET /delay?delay=$seconds&a=1 HTTP/1.1\r\nHost: localhost\r\n\r\n".encodeToByteArray())
        }

    fun stop() = server.close()

    override fun close() {
        sockets.forEach { it.close() }
        server.close()
    }
}
