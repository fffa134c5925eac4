package clientlab.notebook.fork

import clientlab.*
import clientlab.child.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.net.URI
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.measureTime

/** The relays of a run, before a real delay server. */
@Timeout(120)
class WiresTest {
    @Test
    fun `the server is reached through a relay that takes its time, and the control port stays without one`() {
        ServerProcess.start().use { server ->
            Wires { builtJar("The wire", "server/wire/target/wire.jar") }.use { wires ->
                wires.through(Wire.direct, server.address) shouldBe server.address
                wires.pids.shouldBeEmpty()

                val far = wires.through(Wire(rtt = 200.milliseconds), server.address)
                far.port shouldNotBe server.address.port
                far.controlPort shouldBe server.address.controlPort
                far.relayControlPort shouldNotBe null
                wires.pids shouldHaveSize 2
                // A connect and a request: two round trips.
                val took = measureTime { URI("${far.baseUrl}/delay?delay=0.0&a=1").toURL().openStream().use { it.readAllBytes() } }
                took.inWholeMilliseconds.toInt() shouldBeGreaterThanOrEqual 400

                wires.through(Wire(rtt = 1.milliseconds), server.address) shouldBe far
                wires.pids shouldHaveSize 2
            }
        }
    }

    @Test
    fun `a relay that ended is started again, and all end with the run`() {
        val left = ServerProcess.start().use { server ->
            Wires { builtJar("The wire", "server/wire/target/wire.jar") }.use { wires ->
                wires.through(Wire(rtt = 1.milliseconds), server.address)
                val first = wires.pids
                first.forEach { pid -> ProcessHandle.of(pid).get().let { it.destroyForcibly() && it.onExit().get().isAlive } }
                wires.through(Wire(rtt = 1.milliseconds), server.address)
                wires.pids.intersect(first.toSet()).shouldBeEmpty()
                first + wires.pids
            }
        }
        left.filter { pid -> ProcessHandle.of(pid).map { it.isAlive }.orElse(false) }.shouldBeEmpty()
    }
}
