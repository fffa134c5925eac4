package clientlab.wire

import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketTimeoutException

/**
 * A port that nobody answers. Its accept queue is full, and Linux drops the request of one connection more without a word, as if the
 * packets vanished.
 */
internal class DeadPort(address: InetAddress) : AutoCloseable {
    private val socket = ServerSocket(0, 1, address)
    private val fillers = ArrayList<Socket>()
    val port: Int get() = socket.localPort

    /** Whether a connection was seen to wait. Some systems refuse it instead. */
    val isDead: Boolean = (1..MOST).any { !connects() }

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

    private companion object {
        const val MOST = 8
        const val WAIT_MS = 100
    }
}
