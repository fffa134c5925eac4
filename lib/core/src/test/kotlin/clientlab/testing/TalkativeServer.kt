package clientlab.testing

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.LockSupport

/** A real server that answers `/delay` after its delay and tells on the same port what it saw, as Jetty does in `server/jetty`. */
internal class TalkativeServer : AutoCloseable {
    private val threads = Executors.newVirtualThreadPerTaskExecutor()
    private val arrived = AtomicInteger()
    private val answered = AtomicInteger()
    private val inFlight = AtomicInteger()
    private val peak = AtomicInteger()
    private val server: HttpServer =
        HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100).apply {
            executor = threads
            createContext("/delay", ::delay)
            createContext("/evidence") { it.answer(evidence()) }
            createContext("/evidence/reset") { exchange ->
                val before = evidence()
                listOf(arrived, answered, peak).forEach { it.set(0) }
                exchange.answer(before)
            }
            start()
        }

    val baseUrl: String get() = "http://127.0.0.1:${server.address.port}"

    private fun delay(exchange: HttpExchange) {
        arrived.incrementAndGet()
        peak.accumulateAndGet(inFlight.incrementAndGet(), ::maxOf)
        val seconds = exchange.requestURI.query.substringAfter("delay=").substringBefore('&').toDouble()
        val end = System.nanoTime() + (seconds * TimeUnit.SECONDS.toNanos(1)).toLong()
        while (System.nanoTime() < end) LockSupport.parkNanos(end - System.nanoTime())
        // Counted before the client can know, or it might ask for the evidence first.
        inFlight.decrementAndGet()
        answered.incrementAndGet()
        exchange.answer("late")
    }

    private fun evidence() =
        """{"arrived":$arrived,"inFlight":$inFlight,"peakInFlight":$peak,"answered":$answered,"requestsByProtocol":{"http/1.1":$arrived}}"""

    private fun HttpExchange.answer(text: String) {
        val bytes = text.encodeToByteArray()
        sendResponseHeaders(200, bytes.size.toLong())
        responseBody.use { it.write(bytes) }
    }

    override fun close() {
        server.stop(0)
        threads.shutdownNow()
    }
}
