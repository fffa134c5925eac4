package clientlab.notebook.fork

import clientlab.*
import clientlab.child.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.net.URI
import kotlin.time.Duration.Companion.minutes

@Timeout(120)
class PeersTest {
    @Test
    fun `Jetty is started once, answers, and is ended with the run`() {
        val address =
            Peers().use { peers ->
                peers.of(emptySet()) shouldBe emptyMap()
                val address = peers.of(setOf(Peer.Jetty)).getValue(Peer.Jetty)
                URI("$address/datetime?delay=0.01").toURL().readText() shouldStartWith "{\"datetime\":"
                peers.of(setOf(Peer.Jetty)).getValue(Peer.Jetty) shouldBe address
                address
            }
        runCatching { URI("$address/health").toURL().readText() }.isFailure shouldBe true
    }

    @Test
    fun `Jetty ends when the kernel that started it is killed`() {
        val kernel = ChildProcess(ownJvm(JettyParentRun::class.java.name))
        val address = kernel.use { it.nextLine(1.minutes) ?: error("No server: ${it.lastWords()}") }
        kernel.alive shouldBe false
        while (runCatching { URI("$address/health").toURL().readText() }.isSuccess) Thread.yield()
    }
}

/** Starts Jetty, says where it is, and lives until there is nothing more to hear. */
internal object JettyParentRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        Peers().use {
            println(it.of(setOf(Peer.Jetty)).getValue(Peer.Jetty))
            readlnOrNull()
        }
    }
}
