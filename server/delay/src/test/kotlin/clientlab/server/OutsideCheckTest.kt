package clientlab.server

import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.nio.file.Files
import java.nio.file.Path

/** The server's counts against those of a load generator that others wrote. */
@Timeout(120)
class OutsideCheckTest {
    /**
     * wrk counts the answers that it has read to their end, and stops without waiting for those under way: one a connection at most.
     * Before it begins it opens a connection on which it asks nothing.
     */
    @Test
    fun `the server counts as many answers as wrk, but for those that were under way when wrk stopped`() {
        val wrk = System
            .getenv("PATH")
            .split(':')
            .map { Path.of(it, "wrk") }
            .firstOrNull { Files.isExecutable(it) }
        assumeTrue(wrk != null, "wrk is not on this machine, so the count of answers was not compared with its own")
        RunningServer().use { server ->
            val url = "http://127.0.0.1:${server.port}/delay?delay=0.005"
            val process = ProcessBuilder("$wrk", "-t1", "-c$CONNECTIONS", "-d1s", url).redirectErrorStream(true).start()
            val said = process.inputReader().readText()
            process.waitFor() shouldBe 0
            said shouldNotContain "Socket errors"
            said shouldNotContain "Non-2xx"
            val requests = checkNotNull(REQUESTS.find(said)) { "wrk said: $said" }.groupValues[1].toLong()
            requests shouldBeGreaterThan CONNECTIONS
            val seen = server.evidenceWhere { it.connectionsOpen == 0 }
            seen.answeredOk shouldBeInRange requests..requests + CONNECTIONS
            seen.arrived shouldBe seen.answered + seen.abandoned
            seen.arrived shouldBeInRange requests..requests + CONNECTIONS
            seen.peakInFlight shouldBe CONNECTIONS.toInt()
            seen.connectionsOpened shouldBeInRange CONNECTIONS..CONNECTIONS + 1
            seen.answeredEarly shouldBe 0
            seen.rejected shouldBe 0
        }
    }

    private companion object {
        const val CONNECTIONS = 10L
        val REQUESTS = Regex("(\\d+) requests in ")
    }
}
