package clientlab.trial

import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketTimeoutException
import java.net.URI

/**
 * A listening socket of this process whose accept queue is full: it looks like an overloaded server from outside. Linux does not answer the
 * SYN of a further connection, so a client that connects waits until it gives up; other systems may refuse it.
 */
internal class FullQueue(address: InetAddress = InetAddress.getLoopbackAddress(), port: Int = 0) : AutoCloseable {
    private val socket = ServerSocket(port, 1, address)
    private val fillers = ArrayList<Socket>()
    val url: URI = URI("http://${socket.inetAddress.hostAddress}:${socket.localPort}")

    /** Whether a connection was seen to wait. Otherwise nothing can be said about a time-out. */
    val isFull: Boolean = (1..MOST).any { !connects() }

    private fun connects(): Boolean =
        try {
            Socket().also { fillers += it }.connect(socket.localSocketAddress, WAIT_MS)
            true
        } catch (_: SocketTimeoutException) {
            false
        }

    override fun close() {
        fillers.forEach { it.close() }
        socket.close()
    }
}

private const val MOST = 8
private const val WAIT_MS = 100
