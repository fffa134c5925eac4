package clientlab.server

import clientlab.server.evidence.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.io.ByteArrayOutputStream
import java.io.EOFException
import java.io.File
import java.io.IOException
import java.io.InputStream
import java.io.PrintStream
import java.net.HttpURLConnection
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.nio.file.Path

@Timeout(120)
class ServerMainTest {
    private val started = ArrayList<Process>()

    @AfterEach
    fun `leave no process behind`() = started.forEach { it.destroyForcibly().waitFor() }

    @Test
    fun `a taken port is one sentence and code 2`() {
        RunningServer().use { taken ->
            run("--port", "${taken.port}") shouldBe
                Ended(2, "", "Port ${taken.port} is taken: choose another with --port, or leave it out for a free one.\n")
            run("--control-port", "${taken.port}") shouldBe
                Ended(2, "", "Port ${taken.port} is taken: choose another with --control-port, or leave it out for a free one.\n")
        }
    }

    @Test
    fun `an address of another machine is one sentence and code 2`() {
        run("--host", "192.0.2.1", "--expose") shouldBe
            Ended(2, "", "192.0.2.1 is not an address of this machine: choose another with --host, or leave it out for 127.0.0.1.\n")
    }

    @Test
    fun `an unknown option is one sentence and code 2`() {
        run("--prot", "1") shouldBe Ended(2, "", "--prot is not an option of this server: --help lists them.\n")
    }

    @Test
    fun `help is printed, and names every option`() {
        val ended = run("--help")
        ended.code shouldBe 0
        Regex("--[a-z-]+").findAll(ended.out).map { it.value }.toList() shouldContainAll
            listOf("--host", "--expose", "--port", "--control-port", "--token", "--transport", "--max-delay", "--max-in-flight") +
            listOf("--max-connections", "--max-rate", "--delays", "--head-timeout", "--idle-timeout", "--parent-stdin")
    }

    @Test
    fun `the README shows the options as help does`() {
        Files.readString(Path.of(System.getProperty("lab.root"), "server/delay/README.md")) shouldContain "```\n$USAGE\n```\n"
    }

    @Test
    fun `the server leaves when its parent is gone, and has printed one line`() {
        val server = start("--parent-stdin", "--max-delay", "2.5")
        val ready = Json.decodeFromString<Ready>(server.inputReader().readLine())
        ready.pid shouldBe server.pid()
        ready.maxDelaySeconds shouldBe 2.5
        ready.backlog shouldBeInRange 1..4096
        ready.port shouldNotBe ready.controlPort
        URI("http://127.0.0.1:${ready.port}/health").status() shouldBe 200
        URI("http://127.0.0.1:${ready.controlPort}/health").status() shouldBe 200
        server.outputStream.close()
        server.waitFor() shouldBe 0
        server.inputReader().readText() shouldBe ""
        server.errorReader().readText() shouldBe ""
    }

    @Test
    fun `a server with a port for TLS prints where and what to trust, and one without nothing of that`() {
        val with = Json.decodeFromString<Ready>(start("--tls-port", "0").inputReader().readLine())
        tlsClient(checkNotNull(with.certificate), HttpClient.Version.HTTP_2).use { client ->
            val request = HttpRequest.newBuilder(URI("https://127.0.0.1:${with.tlsPort}/health")).build()
            client.send(request, HttpResponse.BodyHandlers.ofString()).body() shouldBe "ok\n"
        }
        val without = Json.decodeFromString<Ready>(start().inputReader().readLine())
        listOf(without.tlsPort, without.certificate) shouldBe listOf(null, null)
    }

    @Test
    fun `a termination signal ends the server, with requests in flight too`() {
        assumeTrue(File.separatorChar == '/', "there is no such signal on Windows")
        val server = start()
        val ready = Json.decodeFromString<Ready>(server.inputReader().readLine())
        RawConnection(ready.port).use { connection ->
            connection.sendRequest("/delay?delay=60")
            URI("http://127.0.0.1:${ready.controlPort}/evidence/await?inFlight=1&timeoutMs=60000").status() shouldBe 200
            // Not Process.destroy, which would close the streams that are read below.
            server.toHandle().destroy()
            server.waitFor()
            connection.isAtEnd() shouldBe true
        }
        server.errorReader().readText() shouldBe ""
    }

    @Test
    fun `a server that is killed leaves its ports free at once, though connections were open`() {
        val server = start()
        val ready = Json.decodeFromString<Ready>(server.inputReader().readLine())
        RawConnection(ready.port).use { connection ->
            connection.sendRequest("/delay?delay=60")
            URI("http://127.0.0.1:${ready.controlPort}/evidence/await?inFlight=1&timeoutMs=60000").status() shouldBe 200
            server.destroyForcibly().waitFor()
            shouldThrow<IOException> { if (connection.isAtEnd()) throw EOFException() }
            DelayServer(ServerSettings(port = ready.port, controlPort = ready.controlPort)).use { it.start().port shouldBe ready.port }
        }
    }

    @Test
    fun `a server ends where its control port is asked to`() {
        val server = start()
        val ready = Json.decodeFromString<Ready>(server.inputReader().readLine())
        RawConnection(ready.controlPort).use { connection ->
            connection.send("POST /shutdown HTTP/1.1\r\nHost: a\r\n\r\n").readAnswer().body shouldBe "The server closes.\n"
        }
        server.waitFor() shouldBe 0
        server.errorReader().readText() shouldBe ""
    }

    @Test
    fun `an address that lets others in is refused unless that was meant, and then the token is told`() {
        run("--host", "0.0.0.0") shouldBe
            Ended(2, "", "0.0.0.0 lets other machines in: add --expose if that is meant, or leave --host out for 127.0.0.1.\n")
        val server = start("--host", "0.0.0.0", "--expose")
        val ready = Json.decodeFromString<Ready>(server.inputReader().readLine())
        URI("http://127.0.0.1:${ready.controlPort}/evidence").status() shouldBe 401
        URI("http://127.0.0.1:${ready.controlPort}/evidence?token=${ready.token}").status() shouldBe 200
    }

    /** The system answers every connection, whether or not the server can take it; those that it cannot wait in its queue. */
    @Test
    fun `where no descriptor is left, those that are open go on, others wait, and it is said once`() {
        assumeTrue(File.separatorChar == '/', "there is no such limit on Windows")
        val server = start(limit = MOST_FILES)
        val ready = Json.decodeFromString<Ready>(server.inputReader().readLine())
        val control = RawConnection(ready.controlPort)

        fun evidence() = Json.decodeFromString<Evidence>(control.sendRequest("/evidence").readAnswer().body)
        // So that no class has to be loaded when no file can be opened any more; the server's own jar is open from the start.
        RawConnection(ready.port).use { it.sendRequest("/delay?delay=0.01&a=0").readAnswer() }
        val answeredBefore = evidence().answeredOk
        val begun = System.nanoTime()
        val connections = List(MOST_FILES) { RawConnection(ready.port).sendRequest("/delay?delay=0.5&a=$it") }
        var seen = evidence()
        while (seen.acceptsFailed < 2) seen = evidence()
        seen.connectionsOpen shouldBeInRange 1..<MOST_FILES
        val open = connections.take(seen.connectionsOpen)
        open.forEach { it.readAnswer().status shouldBe "HTTP/1.1 200 OK" }
        open.forEach { it.close() }
        connections.drop(open.size).forEach {
            it.readAnswer().status shouldBe "HTTP/1.1 200 OK"
            it.close()
        }
        seen = evidence()
        listOf(seen.answeredOk, seen.answeredEarly) shouldBe listOf(MOST_FILES + answeredBefore, 0)
        // It asks again once a second, and does not spin.
        seen.acceptsFailed shouldBeInRange 2..(System.nanoTime() - begun) / 1_000_000_000 + 2
        control.close()
        server.toHandle().destroy()
        val said = server.errorReader().readLines()
        said.size shouldBe 1
        said.single() shouldContain "Raise the limit of open files (ulimit -n), or set --max-connections below it."
    }

    @Test
    fun `a server may be closed twice, and one that could not start has nothing to close`() {
        RunningServer().use { taken ->
            val second = DelayServer(ServerSettings(port = taken.port))
            shouldThrow<CannotStartException> { second.start() }
            second.close()
            second.close()
        }
    }

    private data class Ended(val code: Int, val out: String, val err: String)

    private fun run(vararg args: String): Ended {
        val out = ByteArrayOutputStream()
        val err = ByteArrayOutputStream()
        val code = serve(args.asList().toTypedArray(), InputStream.nullInputStream(), PrintStream(out), PrintStream(err))
        return Ended(code, out.toString().replace(System.lineSeparator(), "\n"), err.toString().replace(System.lineSeparator(), "\n"))
    }

    private fun start(vararg args: String, limit: Int? = null): Process = startServerJvm(args.asList(), limit).also { started += it }

    private companion object {
        /** A JVM that has just started holds some 30. */
        const val MOST_FILES = 100
    }

    private fun URI.status(): Int = (toURL().openConnection() as HttpURLConnection).run {
        setRequestProperty("Connection", "close")
        responseCode
    }
}
