package clientlab.server

import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.io.IOException
import java.net.Socket
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/** What no client should send, by the thousand, while others behave. */
class MalformedTest {
    @Test
    @Timeout(300)
    fun `two thousand malformed requests harm neither the server nor those who behave`() {
        ServerJvm().use { server -> withstands(server, 2_000, seed = 1) }
    }

    @Test
    @Tag("long")
    @Timeout(1_800)
    fun `a hundred thousand malformed requests harm nobody, and leave no memory behind`() {
        ServerJvm().use { server ->
            withstands(server, 50_000, seed = 2)
            val resident = server.residentKib()
            val living = server.livingKib()
            withstands(server, 50_000, seed = 3)
            // Another fifty thousand take as little as this; what is left of each of them would be 40 bytes.
            if (resident != null) server.residentKib()!! shouldBeLessThan resident + resident / 20
            if (living != null) server.livingKib()!! shouldBeLessThan living + LEAST_LEAK_KIB
        }
    }

    private fun withstands(server: ServerJvm, requests: Int, seed: Long) {
        val before = server.evidence()
        val isOver = AtomicBoolean()
        val asked = AtomicInteger()
        Executors.newFixedThreadPool(SENDERS + 1).use { threads ->
            val behaved = threads.submit(Callable { behave(server.port, isOver, asked) })
            val sent = (0 until SENDERS).map { sender ->
                threads.submit(
                    Callable { repeat(requests / SENDERS) { send(server.port, Malformed(seed * 1_000_000_000 + it * SENDERS + sender)) } },
                )
            }
            try {
                sent.forEach { it.get() }
            } finally {
                isOver.set(true)
            }
            behaved.get()
        }
        server.isAlive shouldBe true
        asked.get() shouldBeGreaterThan 0
        // The control connection is in none of these counts.
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        seen.inFlight shouldBe 0
        seen.answeredEarly shouldBe 0
        seen.arrived shouldBe seen.answered + seen.abandoned
        seen.abandoned shouldBe seen.abandonedByClient + seen.onPurpose.closed + seen.onPurpose.reset + seen.onPurpose.stalled
        seen.requestsByProtocol.getValue("malformed") shouldBeGreaterThan (before.requestsByProtocol["malformed"] ?: 0)
    }

    /** Sends it, and ends its own half or the whole of the connection: in the end nothing can be left of it at the server either. */
    private fun send(port: Int, malformed: Malformed) {
        val bytes = malformed.next()
        Socket("127.0.0.1", port).use { socket ->
            socket.soTimeout = 60_000
            socket.setSoLinger(true, 0)
            val said = try {
                socket.getOutputStream().write(bytes)
                if (Random(bytes.size).nextInt(4) == 0) return
                socket.shutdownOutput()
                socket.getInputStream().readNBytes(64).toString(Charsets.ISO_8859_1)
            } catch (_: IOException) {
                // The server may well close, or reset, before all of it has been sent.
                return
            }
            withClue(bytes.toString(Charsets.ISO_8859_1)) {
                when {
                    said.isEmpty() -> Unit

                    // Whoever begins in HTTP/2 is told the settings first.
                    String(bytes, Charsets.ISO_8859_1).startsWith(RawHttp2.PREFACE) -> said[FRAME_TYPE].code shouldBe RawHttp2.SETTINGS

                    else -> said.lines().first() shouldMatch "HTTP/1\\.1 (100|[2-5]\\d\\d) .*"
                }
            }
        }
    }

    /** Asks for delays, one after the other on each of some connections, and holds the server to its word. */
    private fun behave(port: Int, isOver: AtomicBoolean, asked: AtomicInteger) {
        val connections = List(10) { RawConnection(port) }
        try {
            do {
                val begun = System.nanoTime()
                connections.forEachIndexed { i, connection -> connection.sendRequest("/delay?delay=0.05&a=$i") }
                connections.forEachIndexed { i, connection ->
                    val answer = connection.readAnswer()
                    System.nanoTime() - begun shouldBeGreaterThanOrEqual 50_000_000
                    answer.status shouldBe "HTTP/1.1 200 OK"
                    answer.body shouldBe "delayed 0.05 s, a=$i\n"
                    asked.incrementAndGet()
                }
            } while (!isOver.get())
        } finally {
            connections.forEach { it.close() }
        }
    }

    private companion object {
        const val SENDERS = 4
        const val FRAME_TYPE = 3
        const val LEAST_LEAK_KIB = 2_000L
    }
}
