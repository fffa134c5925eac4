package clientlab.jetty

import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.io.ByteArrayOutputStream
import java.io.InputStream
import java.io.PrintStream
import java.net.ServerSocket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

@Timeout(120)
class JettyServerTest {
    @AutoClose
    private val server = JettyServer()
    private val port = server.start()

    private val client: HttpClient = HttpClient.newHttpClient()

    @AfterEach
    fun closeClient() = client.shutdownNow()

    @Test
    fun `the time is told as JSON, after the delay`() {
        val start = System.nanoTime()
        val answer = get("/datetime?delay=0.05")
        System.nanoTime() - start shouldBeGreaterThanOrEqual 50_000_000
        answer.statusCode() shouldBe 200
        answer.headers().firstValue("content-type").get() shouldStartWith "application/json"
        answer.body() shouldContain "\"zone\":\"UTC\""
        answer.body() shouldStartWith "{\"datetime\":\"20"
    }

    @Test
    fun `thirty that wait are in flight together, though ten threads answer`() {
        val answers = (1..30).map { send("/delay?delay=3") }
        answers.forEach { it.get(60, TimeUnit.SECONDS).body() shouldBe "delayed 3 s\n" }
        evidenceAtRest() shouldContain """"arrived":30,"inFlight":0,"peakInFlight":30,"answered":30,"requestsByProtocol":{"http/1.1":30}"""
    }

    @Test
    fun `health and evidence are counted nowhere, and a reset forgets`() {
        get("/health").body() shouldBe "ok\n"
        get("/delay")
        post("/evidence/reset") shouldContain "\"arrived\":1,"
        evidence() shouldContain """"arrived":0,"inFlight":0,"peakInFlight":0,"answered":0,"requestsByProtocol":{}"""
    }

    @ParameterizedTest
    @ValueSource(strings = ["-1", "x", "61", "NaN", ""])
    fun `a delay that cannot be is refused in one sentence`(delay: String) {
        val answer = get("/datetime?delay=$delay")
        answer.statusCode() shouldBe 400
        answer.body() shouldBe "delay=$delay is not a number of seconds from 0 to 60: give one such as delay=1.5.\n"
    }

    @Test
    fun `a port that is taken is refused in one sentence, and code 2`() {
        ServerSocket(0).use { taken ->
            val said = ByteArrayOutputStream()
            val code =
                serve(arrayOf("--port", "${taken.localPort}"), InputStream.nullInputStream(), System.out, PrintStream(said))
            code shouldBe 2
            said.toString() shouldContain "cannot be listened on"
            said.toString().trim().lines().size shouldBe 1
        }
    }

    private fun evidence() = get("/evidence").body()

    /** The server counts an answer after it has sent it, so a caller may ask before that. */
    private fun evidenceAtRest(): String {
        repeat(LOOKS) { evidence().let { if ("\"inFlight\":0," in it) return it else Thread.sleep(BETWEEN_MS) } }
        return evidence()
    }

    private fun get(path: String) = send(path).get(60, TimeUnit.SECONDS)

    private fun post(path: String) = send(path) { POST(HttpRequest.BodyPublishers.noBody()) }.get(60, TimeUnit.SECONDS).body()

    private fun send(path: String, also: HttpRequest.Builder.() -> Unit = {}): CompletableFuture<HttpResponse<String>> =
        client.sendAsync(
            HttpRequest
                .newBuilder(URI("http://127.0.0.1:$port$path"))
                .version(HttpClient.Version.HTTP_1_1)
                .apply(also)
                .build(),
            HttpResponse.BodyHandlers.ofString(),
        )

    private companion object {
        const val LOOKS = 100
        const val BETWEEN_MS = 20L
    }
}
