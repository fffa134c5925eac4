package clientlab.server

import clientlab.server.evidence.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import kotlin.io.path.writeText

/** HTTP/2 as clients speak it that others wrote. */
@Timeout(120)
class Http2OutsideCheckTest {
    @AutoClose
    private val server = RunningServer(ServerSettings(tlsPort = 0, takesUpgrades = true))

    @TempDir
    lateinit var folder: Path

    @ParameterizedTest
    @CsvSource("--http2-prior-knowledge,http,h2c,2,1", "--http2,http,h2c,2,2", "--http2,https,h2,2,2", "--http1.1,https,http/1.1,1.1,2")
    fun `curl is answered, on one connection`(option: String, scheme: String, key: String, version: String, requests: Int) {
        val curl = tool("curl")
        assumeTrue("HTTP2" in run("$curl", "--version"), "this curl has no HTTP/2, so nothing was asked with it")
        val pem = folder.resolve("server.pem").apply { writeText(server.certificate) }
        val port = if (scheme == "https") server.tlsPort else server.port
        // Debian's curl 7.88 cannot ask twice on a connection of prior knowledge.
        val urls = (1..requests).map { "$scheme://localhost:$port/delay?delay=0.01&a=$it" }
        val said = run("$curl", "-4", "-sS", option, "--cacert", "$pem", "-w", "%{http_version} %{http_code}\n", *urls.toTypedArray())
        said.lines() shouldContainExactly (1..requests).flatMap { listOf("delayed 0.01 s, a=$it", "$version 200") } + ""
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        seen.requestsByProtocol shouldContainExactly mapOf(key to requests.toLong())
        listOf(seen.connectionsOpened, seen.answeredOk, seen.streamErrors, seen.connectionErrors) shouldContainExactly
            listOf(1, requests.toLong(), 0, 0)
    }

    @ParameterizedTest
    @CsvSource("http,h2c", "https,h2")
    fun `the server counts as many streams as h2load`(scheme: String, key: String) = load(scheme, key, requests = 1_000, seconds = 1)

    @Tag("long")
    @ParameterizedTest
    @CsvSource("http,h2c", "https,h2")
    fun `the server counts as many streams as h2load, 10,000 of them`(
        scheme: String,
        key: String,
    ) = load(scheme, key, requests = 10_000, seconds = 5)

    /** So many requests over four connections, all of them in flight before the first is answered. */
    private fun load(scheme: String, key: String, requests: Int, seconds: Int) {
        val h2load = tool("h2load")
        val port = if (scheme == "https") server.tlsPort else server.port
        val said = CompletableFuture.supplyAsync {
            run("$h2load", "-n", "$requests", "-c", "4", "-m", "${requests / 4}", "$scheme://127.0.0.1:$port/delay?delay=$seconds")
        }
        server.awaitInFlight(requests)
        said.within() shouldContain
            "$requests total, $requests started, $requests done, $requests succeeded, 0 failed, 0 errored, 0 timeout"
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        listOf(seen.arrived, seen.answeredOk, seen.answeredEarly, seen.abandoned, seen.rejected) shouldContainExactly
            listOf(requests.toLong(), requests.toLong(), 0, 0, 0)
        listOf(seen.peakInFlight, seen.inFlight) shouldContainExactly listOf(requests, 0)
        seen.connectionsByProtocol shouldBe
            mapOf(
                key to
                    ProtocolUse(4, requests.toLong(), reused = requests - 4L, mostPerConnection = requests / 4, mostAtOnce = requests / 4),
            )
    }

    private fun tool(name: String): Path {
        val found = System
            .getenv("PATH")
            .split(':')
            .map { Path.of(it, name) }
            .firstOrNull { Files.isExecutable(it) }
        assumeTrue(found != null, "$name is not on this machine, so nothing was asked with it")
        return found!!
    }

    private fun run(vararg command: String): String {
        val process = ProcessBuilder(*command).redirectErrorStream(true).start()
        return process.inputReader().readText().also { process.waitFor() shouldBe 0 }
    }
}
