package clientlab.server.evidence

import clientlab.server.*
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket

@Timeout(120)
class ListenSocketsTest {
    @AutoClose
    private val full = ServerSocket(0, 1, InetAddress.getLoopbackAddress())
    private val callers = List(4) { Socket() }

    @BeforeEach
    fun needsSs() =
        assumeTrue(runCatching { ProcessBuilder("ss", "-V").start().waitFor() }.getOrNull() == 0, "there is no ss on this machine")

    /** The queue holds two, so two of four callers are not answered. */
    private fun runOver() {
        callers.forEach { runCatching { it.connect(full.localSocketAddress, 100) } }
        callers.forEach { it.close() }
    }

    @Test
    fun `what a socket dropped is told since the reset, however often it is asked`() {
        val sockets = ListenSockets().also { it.ports += full.localPort }
        sockets.dropsSinceReset(0) shouldBe 0
        runOver()
        val dropped = sockets.dropsSinceReset(2).shouldNotBeNull()
        dropped shouldBeGreaterThan 0
        sockets.dropsSinceReset(2) shouldBe dropped
        sockets.reset()
        sockets.dropsSinceReset(0) shouldBe 0
        sockets.dropsSinceReset(1) shouldBe 0
    }

    @Test
    fun `nothing is said of a port on which nobody listens`() {
        val free = ServerSocket(0).use { it.localPort }
        ListenSockets().also { it.ports += free }.dropsSinceReset(1) shouldBe null
    }

    @Test
    fun `a queue of another socket that runs over is counted for the machine, and not for the server`() {
        RunningServer().use { server ->
            runOver()
            val seen = server.evidence()
            seen.listenOverflows.shouldNotBeNull() shouldBeGreaterThan 0
            seen.ownListenDrops shouldBe 0
        }
    }
}
