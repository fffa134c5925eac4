package clientlab.clients.recipes

import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

/** A server that answers one request with two bytes, and sends the second one when it is told to. */
internal class HalfAnswer : AutoCloseable {
    private val socket = ServerSocket(0, 1, InetAddress.getLoopbackAddress())
    private val rest = CountDownLatch(1)
    val url = URI("http://127.0.0.1:${socket.localPort}/")

    init {
        thread(isDaemon = true) {
            socket.accept().use { client ->
                client.getInputStream().bufferedReader().lineSequence().first { it.isEmpty() }
                val out = client.getOutputStream()
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".toByteArray())
                out.write(FIRST)
                out.flush()
                rest.await()
                out.write(SECOND)
                out.flush()
            }
        }
    }

    fun sendRest() = rest.countDown()

    override fun close() {
        rest.countDown()
        socket.close()
    }

    companion object {
        const val FIRST = 1
        const val SECOND = 2
    }
}
