package clientlab.server

import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

/**
 * Clients that take their time over a request, made by a program that others wrote for this; two hundred at once. `LimitsTest` has one of
 * each of its own.
 */
@Tag("long")
@Timeout(300)
class SlowHttpTest {
    private val program = System
        .getenv("PATH")
        .split(':')
        .map { Path.of(it, "slowhttptest") }
        .firstOrNull { Files.isExecutable(it) }

    @Test
    fun `slow headers are waited for no longer than agreed, and disturb nobody`() = withstands("-H")

    @Test
    fun `slow bodies are waited for no longer than agreed, and disturb nobody`() = withstands("-B", "-s", "8192")

    private fun withstands(vararg attack: String) {
        assumeTrue(program != null, "slowhttptest is not on this machine, so clients that are slow on purpose were not tried")
        RunningServer(ServerSettings(headTimeout = 2.seconds)).use { server ->
            val url = "http://127.0.0.1:${server.port}/delay?delay=0"
            val options = listOf("-c", "$SLOW", "-r", "$SLOW", "-i", "1", "-x", "8", "-l", "60", "-p", "3", "-u", url)
            val process = ProcessBuilder(listOf("$program") + attack + options).redirectErrorStream(true).start()
            var asked = 0
            // The program ends by itself when the server has ended all its connections.
            val said = StringBuilder()
            val reader = Thread.ofPlatform().start { process.inputReader().forEachLine { said.append(it).append('\n') } }
            val connection = server.connect()
            while (process.isAlive) {
                val begun = System.nanoTime()
                connection.sendRequest("/delay?delay=0.05&a=1").readAnswer().body shouldBe "delayed 0.05 s, a=1\n"
                System.nanoTime() - begun shouldBeGreaterThanOrEqual 50_000_000
                asked++
            }
            reader.join()
            asked shouldBeGreaterThan 0
            said.toString() shouldContain "No open connections left"
            val seen = server.evidenceWhere { it.connectionsOpen == 1 }
            seen.connectionsTimedOut shouldBeGreaterThanOrEqual SLOW
            seen.answeredEarly shouldBe 0
            seen.inFlight shouldBe 0
        }
    }

    private companion object {
        const val SLOW = 200L
    }
}
