package clientlab.server

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** The end of a server in a JVM that goes on. */
@Timeout(60)
class ClosingTest {
    @Test
    fun `whoever waits learns that the server has gone, each time one does`() {
        repeat(50) { round ->
            val server = DelayServer()
            val ports = server.start()
            val data = List(5) { RawConnection(ports.port).sendRequest("/delay?delay=60") }
            val control = RawConnection(ports.controlPort).sendRequest("/evidence/await?inFlight=5&timeoutMs=20000")
            control.readAnswer().body.contains("\"reached\":true") shouldBe true
            server.close()
            withClue("server $round") { (data + control).forEach { it.isAtEnd() shouldBe true } }
            (data + control).forEach { it.close() }
        }
    }
}
