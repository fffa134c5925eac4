package clientlab.clients

import clientlab.*
import clientlab.burst.*
import clientlab.probe.*
import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.time.Duration.Companion.seconds

/** Whole trials of real clients, compared with what jcmd, the kernel and ss see while their requests are in flight. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutsideCheckTest {
    private lateinit var server: RealServer

    @BeforeAll
    fun start() {
        server = RealServer()
    }

    @AfterAll
    fun stop(): Unit = server.close()

    /** This test names the frame in which each client waits for an answer; it uses no line of the probe. */
    @ParameterizedTest(name = "{0}: the trial counts as many threads and connections as jcmd, /proc and ss")
    @CsvSource(
        "retrofit, sun.nio.ch.NioSocketImpl.implRead, 20",
        "jdk-blocking, jdk.internal.net.http.HttpClientImpl.send, 20",
        "ktor-cio, sun.nio.ch.NioSocketImpl.implRead, 0",
    )
    fun `a trial's counts are those of others`(id: String, frame: String, blocked: Int) {
        listOf("jcmd", "ss").forEach { assumeTrue(tool(it) != null, "$it is not on this machine, so nothing was compared with it") }
        assumeTrue(Files.exists(Path.of("/proc/self/task")), "this system has no /proc/self/task, so its threads were not compared")
        val burst = Burst(listOf(info(id)), inFlight = listOf(N), delay = 4.seconds, start = listOf(Start.Cold))
        begun(burst, server).use { child ->
            val stacks: List<String>
            val tasks: Int
            val sockets: List<String>
            ServerProbe(server.address).use { probe ->
                probe.await(N, 60.seconds)
                stacks = printed(tool("jcmd").toString(), "${child.pid}", "Thread.print").joinToString("\n").split("\n\n")
                tasks = Path.of("/proc/${child.pid}/task").listDirectoryEntries().size
                sockets = printed(tool("ss").toString(), "-tnH", "state", "established", "( dport = :${server.baseUrl.port} )")
                withClue("requests still in flight after the look from outside") { probe.evidence().inFlight shouldBe N.toLong() }
            }
            val trial = child.trials(burst).single()
            val javas = stacks.flatMap { it.lines() }.mapNotNull { JAVA.find(it)?.groupValues?.get(1) }.filterNot(NOT_COUNTED::matches)
            println("$id: ${trial.metrics.filterKeys { it in SHOWN }}, jcmd ${javas.size}, /proc $tasks, ss ${sockets.size}")
            assertSoftly {
                withClue("reasons") { trial.reasons.shouldBeEmpty() }
                withClue("outcome") { trial.outcome shouldBe Outcome.Complete }
                withClue("stacks inside a request") { stacks.count { "at $frame(" in it } shouldBe blocked }
                withClue("threadsBlocked") { trial.number("threadsBlocked") shouldBe blocked.toDouble() }
                withClue("connections") { sockets.size shouldBe N }
                withClue("connectionsOpened") { trial.number("connectionsOpened") shouldBe sockets.size.toDouble() }
                // The tools look tenths of a second after the trial. A worker of a pool or of the JVM may have started or ended in between.
                withClue("platform threads") { trial.number("threadsLive") shouldBe (javas.size.toDouble() plusOrMinus FEW) }
                withClue("the system's threads") { trial.number("osThreads") shouldBe (tasks.toDouble() plusOrMinus FEW) }
            }
        }
    }

    /** In HTTP/2 its threads wait for a stream and not in a read. Each connection that it keeps has one more thread, which reads. */
    @Test
    fun `in HTTP 2 too OkHttp has a thread per request, by its trial and by jcmd`() {
        assumeTrue(tool("jcmd") != null, "jcmd is not on this machine, so nothing was compared with it")
        val burst =
            Burst(
                listOf(info("okhttp")),
                inFlight = listOf(N),
                delay = 4.seconds,
                protocol = listOf(Protocol.H2c),
                start = listOf(Start.Cold),
            )
        begun(burst, server).use { child ->
            val stacks =
                ServerProbe(server.address).use { probe ->
                    probe.await(N, 60.seconds)
                    printed(tool("jcmd").toString(), "${child.pid}", "Thread.print").joinToString("\n").split("\n\n")
                }
            val trial = child.trials(burst).single()
            withClue(trial.reasons) { trial.outcome shouldBe Outcome.Complete }
            stacks.count { "at okhttp3.internal.http2.Http2Stream.takeHeaders(" in it } shouldBe N
            trial.number("threadsBlocked").shouldBeBetween(N + 1.0, N + trial.number("connectionsOpened"), 0.0)
        }
    }

    private fun Trial.number(name: String): Double = metrics.getValue(name)

    private fun tool(name: String): Path? =
        (listOf(Path.of(System.getProperty("java.home"), "bin")) + System.getenv("PATH").split(':').map { Path.of(it) })
            .map { it.resolve(name) }
            .firstOrNull { Files.isExecutable(it) }

    private fun printed(vararg command: String): List<String> =
        ProcessBuilder(*command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .inputReader()
            .readLines()

    private companion object {
        const val N = 20
        const val FEW = 3.0
        val JAVA = Regex("^\"(.*)\" #\\d+ ")

        /** Threads that the JVM shows to no program, the thread that answers jcmd, and the harness's own. */
        val NOT_COUNTED = Regex("C[12] CompilerThread\\d+|Service Thread|Monitor Deflation Thread|Attach Listener|lab-.*")
        val SHOWN = setOf("threadsLive", "threadsBlocked", "osThreads", "connectionsOpened")
    }
}
