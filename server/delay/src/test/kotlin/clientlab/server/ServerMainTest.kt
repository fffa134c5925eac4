package clientlab.server

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.InputStream
import java.io.PrintStream
import java.net.HttpURLConnection
import java.net.URI
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
        run("--host", "192.0.2.1") shouldBe
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
            listOf("--host", "--port", "--control-port", "--max-delay", "--max-in-flight", "--transport", "--parent-stdin")
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

    private fun start(vararg args: String): Process {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val classpath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val options = listOf("-XX:+UseSerialGC", "-Xmx64m", "--enable-native-access=ALL-UNNAMED", "-cp", classpath)
        return ProcessBuilder(listOf(java) + options + "clientlab.server.ServerMainKt" + args).start().also { started += it }
    }

    private fun URI.status(): Int = (toURL().openConnection() as HttpURLConnection).run {
        setRequestProperty("Connection", "close")
        responseCode
    }
}
