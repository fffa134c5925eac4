package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.probe.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.ServerSocket
import java.net.Socket
import java.net.URI
import java.nio.file.Path
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Runs against a server that somebody else started. Here it is on the same machine; another network is in [TwoNetworksTest]. */
class RemoteServerTest(
    @param:TempDir private val data: Path,
) {
    @AutoClose
    private val server = ServerProcess.start()
    private val url = "http://127.0.0.1:${server.address.controlPort}"

    private fun asked(forks: Int) =
        Experiment("made", Burst(clients("urlconnection"), inFlight = listOf(5), delay = 200.milliseconds), forks = forks, seed = 7)

    @Test
    fun `a run uses the server that it is given, says so in its manifest, and leaves it running`() =
        withDataIn(data) {
            asked(forks = 1).run(url) { }
            val folder = RunFolder.all("made").single()
            withClue(folder.trials().map { it.reasons }) { folder.trials().map { it.outcome }.distinct() shouldBe listOf(Outcome.Complete) }
            folder.manifest.server["elsewhere"] shouldBe url
            folder.manifest.server["port"] shouldBe "${server.address.port}"
            folder.manifest.server["roundTripMicros"].shouldNotBeNull() shouldMatch Regex("\\d+")
            server.alive shouldBe true
            servers() shouldBe 1
            ServerProbe(server.address).use { it.evidence().arrived } shouldBe 5
        }

    private fun servers(): Int =
        ProcessHandle
            .current()
            .children()
            .filter { it.isAlive && "delay-server.jar" in it.info().commandLine().orElse("") }
            .count()
            .toInt()

    @Test
    fun `a server that goes ends the run in one sentence, and the run goes on only where it began, unless told otherwise`() =
        withDataIn(data) {
            val refusal = shouldThrow<LabException> { asked(forks = 3).run(url) { if (it.done == 1) server.close() } }
            refusal.message.shouldNotBeNull() shouldContain "(the delay server at $url does not answer any more)"
            val folder = RunFolder.all("made").single()
            folder.manifest.state shouldBe "failed"
            val there = folder.trials().count { !it.warmup }

            shouldThrow<LabException> { asked(forks = 3).resume(listener = { }) }.message.shouldNotBeNull() shouldStartWith
                "There is no delay server at $url ("
            ServerProcess.start().use { another ->
                val other = "http://127.0.0.1:${another.address.controlPort}"
                shouldThrow<LabException> {
                    asked(forks = 3).resume(listener = { }, server = other)
                }.message.shouldNotBeNull() shouldContain
                    "(server is $other and was $url)"
                asked(forks = 3).resume(anyway = true, listener = { }, server = other).rowsCount() shouldBe 3
            }
            folder.trials().count { !it.warmup } shouldBe 3
            (there < 3) shouldBe true
        }

    @Test
    fun `what cannot be a server elsewhere is refused in one sentence before anything starts`() =
        withDataIn(data) {
            fun refusal(url: String) = shouldThrow<LabException> { asked(forks = 1).run(url) { } }.message.shouldNotBeNull()
            for (address in listOf("192.0.2.7:8081", "https://192.0.2.7:8081", "http://192.0.2.7", "http://192.0.2.7:99999", "here")) {
                refusal(address) shouldBe
                    "'$address' is no address of a delay server: give that of its control port, as in http://192.0.2.7:8081."
            }
            refusal("http://127.0.0.1:${server.address.port}") shouldStartWith
                "What answers at http://127.0.0.1:${server.address.port} is not the control port of a delay server: "
            val nobody = ServerSocket(0).use { it.localPort }
            refusal("http://127.0.0.1:$nobody") shouldStartWith "There is no delay server at http://127.0.0.1:$nobody ("
            Socket("127.0.0.1", server.address.port).use { socket ->
                socket.getOutputStream().write("GET /delay?delay=30 HTTP/1.1\r\nHost: a\r\n\r\n".encodeToByteArray())
                ServerProbe(server.address).use { it.await(1, 10.seconds).reached shouldBe true }
                refusal(url) shouldStartWith "1 requests of others are in flight at $url: "
            }
            RunFolder.all("made").shouldBeEmpty()
        }

    @Test
    fun `a server that wants a token is told it, and no sentence tells it to anybody else`() {
        ServerSocket(0).use { control ->
            thread(isDaemon = true) {
                while (true) {
                    val socket = runCatching { control.accept() }.getOrNull() ?: break
                    val head = socket
                        .getInputStream()
                        .bufferedReader()
                        .lineSequence()
                        .takeWhile { it.isNotEmpty() }
                        .toList()
                    val status = if ("Authorization: Bearer secret" in head) "404 Not Found" else "401 Unauthorized"
                    socket.getOutputStream().write("HTTP/1.1 $status\r\nContent-Length: 0\r\n\r\n".encodeToByteArray())
                }
            }
            val at = "http://127.0.0.1:${control.localPort}"

            fun refusal(url: String) = shouldThrow<LabException> { serverEvidence(url) }.message.shouldNotBeNull()
            refusal(at) shouldBe
                "The delay server at $at wants its token, which it printed when it started: give $at?token=… as its address."
            refusal("$at?token=wrong") shouldBe refusal(at)
            refusal("$at/?token=secret") shouldStartWith "What answers at $at is not the control port of a delay server: "
        }
    }

    @Test
    fun `Jetty stands on this machine, so it is not compared with a server elsewhere`() =
        withDataIn(data) {
            val both = Burst(
                clients("urlconnection"),
                inFlight = listOf(5),
                delay = 200.milliseconds,
                server = listOf(Server.Delay, Server.Jetty),
            )
            shouldThrow<LabException> { Experiment("made", both, forks = 1).run(url) { } }.message.shouldNotBeNull() shouldContain
                "Jetty runs on this machine and your delay server does not"
        }

    @Test
    fun `the evidence of a running server is a table in one call`() {
        for (number in listOf(7, 8)) URI("${server.address.baseUrl}/delay?delay=0.02&a=$number").toURL().readText()
        val seen = serverEvidence(url)
        seen.counts.arrived shouldBe 2
        val table = seen.toDataFrame()
        table.columnNames() shouldContainExactly listOf("number", "connection", "arrivedMs", "answeredMs", "servedMs", "origin")
        table.rows().map { it["number"] } shouldContainExactly listOf(7, 8)
        table.rows().forEach { (it["servedMs"] as Double) shouldBeGreaterThanOrEqual 20.0 }
        table.rows().first()["arrivedMs"] shouldBe 0.0
        "${table.rows().first()["origin"]}" shouldBe
            "the delay server at $url, 2 numbered requests since its reset, none dropped"
        seen.lateness().rows().last()["answers"] shouldBe 2L
        seen.lateness().rows().last()["share"] shouldBe 1.0
    }
}
