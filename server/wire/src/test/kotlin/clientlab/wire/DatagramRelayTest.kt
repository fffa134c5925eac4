package clientlab.wire

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.DatagramPacket
import java.net.DatagramSocket
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.SocketException
import java.net.SocketTimeoutException
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread
import kotlin.time.TimeSource

/** Real sockets of UDP, with the relay between them. The server sends back what it gets. */
class DatagramRelayTest {
    private val server = EchoOfDatagrams()
    private val relay = Relay(server.address, seed = 7, udp = true)
    private val ends = relay.start()
    private val sockets = ArrayList<DatagramSocket>()

    @AfterEach
    fun `everything ends`() {
        sockets.forEach { it.close() }
        relay.close()
        server.close()
    }

    private fun client(): DatagramSocket = DatagramSocket(0, InetAddress.getLoopbackAddress()).also {
        it.connect(InetSocketAddress(ends.host, ends.port))
        it.soTimeout = PATIENCE_MS
        sockets += it
    }

    /** Waits until the server has answered what has come to it. Sockets have buffers of their own, and lose what finds no place in them. */
    private fun answered() {
        repeat(PATIENCE_MS / PAUSE_MS) {
            Thread.sleep(PAUSE_MS.toLong())
            if (server.answered.get() == relay.seen.sumOf { it.bytesToServer }) return
        }
    }

    private fun DatagramSocket.say(text: String) = text.encodeToByteArray().let { send(DatagramPacket(it, it.size)) }

    private fun DatagramSocket.hear(): String = DatagramPacket(ByteArray(100), 100).also { receive(it) }.run { String(data, 0, length) }

    /** Everything that comes until nothing has come for [ms]. */
    private fun DatagramSocket.hearAll(ms: Int): List<String> {
        soTimeout = ms
        return generateSequence {
            try {
                hear()
            } catch (_: SocketTimeoutException) {
                null
            }
        }.toList()
    }

    @Test
    fun `each client gets the answers to its own datagrams`() {
        val (one, other) = client() to client()
        one.say("one")
        other.say("other")
        one.hear() shouldBe "one"
        other.hear() shouldBe "other"
        relay.seen.map { it.bytesToServer to it.bytesToClient } shouldBe listOf(3L to 3L, 5L to 5L)
    }

    @Test
    fun `a round trip takes its time, and nobody waits for a connection`() {
        relay.wire = Wire(rttMs = 200.0)
        val begun = TimeSource.Monotonic.markNow()
        client().run {
            say("there")
            hear() shouldBe "there"
        }
        begun.elapsedNow().inWholeMilliseconds shouldBeGreaterThanOrEqual 200
    }

    @Test
    fun `as many get lost in each direction as the wire says`() {
        relay.wire = Wire(lossShare = 0.2)
        val client = client()
        repeat(MANY / GROUP) {
            repeat(GROUP) { client.say("x") }
            answered()
        }
        client.hearAll(500)
        // Of each thousand 800 arrive; five standard deviations are 63.
        val (there, back) = relay.seen.single().run { bytesToServer.toInt() to bytesToClient.toInt() }
        there shouldBeInRange 737..863
        back shouldBeInRange (there * 8 / 10 - 63..there * 8 / 10 + 63)
    }

    @Test
    fun `a datagram that is late does not overtake another`() {
        relay.wire = Wire(rttMs = 10.0, jitterMs = 30.0)
        val client = client()
        repeat(50) { client.say("%03d".format(it)) }
        client.hearAll(500) shouldHaveSize 50
        repeat(50) { client.say("%03d".format(it)) }
        client.hearAll(500).shouldBeSorted()
    }

    @Test
    fun `a pause holds datagrams back, and silence loses them`() {
        val client = client()
        relay.wire = Wire(paused = true)
        client.say("later")
        client.hearAll(200) shouldHaveSize 0
        relay.wire = Wire()
        client.hearAll(200) shouldBe listOf("later")
        relay.wire = Wire(silent = true)
        client.say("never")
        client.hearAll(200) shouldHaveSize 0
        relay.wire = Wire()
        client.hearAll(200) shouldHaveSize 0
    }

    @Test
    fun `a loss is a share`() {
        shouldThrow<IllegalArgumentException> { Wire(lossShare = 2.0) }.message shouldBe "lossShare is 2.0: it is a share, from 0 to 1."
    }

    private class EchoOfDatagrams : AutoCloseable {
        private val socket = DatagramSocket(0, InetAddress.getLoopbackAddress())
        val address = InetSocketAddress(socket.localAddress, socket.localPort)
        val answered = AtomicLong() // bytes
        private val loop = thread(name = "echo-of-datagrams", isDaemon = true) {
            try {
                while (true) {
                    DatagramPacket(ByteArray(100), 100).let {
                        socket.receive(it)
                        socket.send(it)
                        answered.addAndGet(it.length.toLong())
                    }
                }
            } catch (_: SocketException) {
                // It has been closed.
            }
        }

        override fun close() {
            socket.close()
            loop.join()
        }
    }

    private companion object {
        const val PATIENCE_MS = 10_000
        const val MANY = 1_000
        const val GROUP = 20
        const val PAUSE_MS = 10
    }
}
