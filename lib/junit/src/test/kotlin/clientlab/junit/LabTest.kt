package clientlab.junit

import clientlab.*
import clientlab.client.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.future.await
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import shop.Prices
import java.lang.module.ModuleFinder
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.Executors
import kotlin.time.measureTime

/** The assertions. One client has a forgotten limit of 37, the JDK's has none, and each of the others has a fault. */
@ClientLab
@Timeout(60)
class LabTest {
    private val prices = TestedClient.blocking({ url -> Prices("$url") }) { it.of(7) }
    private val jdk = TestedClient.suspending({ url -> Jdk(url) }) { it.get() }

    private class Jdk(private val url: URI) : AutoCloseable {
        private val threads = Executors.newFixedThreadPool(2)
        private val client = HttpClient.newBuilder().executor(threads).build()

        suspend fun get(): String =
            client.sendAsync(HttpRequest.newBuilder(url.resolve("/any")).build(), HttpResponse.BodyHandlers.ofString()).await().body()

        override fun close() {
            client.close()
            threads.shutdown()
        }
    }

    @Test
    fun `a forgotten limit is named with its owner and the line that raises it`(lab: Lab) {
        assumeTrue(ModuleFinder.ofSystem().find("jdk.attach").isPresent, "This Java has no attach mechanism.")
        shouldThrow<AssertionError> { lab.assertHolds(prices, inFlight = 100) }.message shouldStartWith
            "100 calls were made at once, and the server saw 37 of them at a time. " +
            "okhttp3.Dispatcher.maxRequestsPerHost is 37: 37 are taken, and 63 wait. " +
            "It belongs to shop.Prices → Prices.client → OkHttpClient.dispatcher. " +
            "This line lets them through: dispatcher.maxRequestsPerHost = 100"
    }

    @Test
    fun `calls that are all under way at once are held`(lab: Lab) {
        lab.assertHolds(prices, inFlight = 37)
        lab.assertHolds(jdk, inFlight = 100)
        lab.evidence().peakInFlight shouldBe 100
    }

    @Test
    fun `a client that gives up while the server holds its calls is not one that holds them`(lab: Lab) {
        val hasty = TestedClient.blocking({ url -> Prices("$url", Duration.ofMillis(1_500)) }) { it.of(7) }
        shouldThrow<AssertionError> { lab.assertHolds(hasty, inFlight = 10) }.message shouldStartWith
            "All 10 calls were under way at once, and then 10 failed. The first: "
    }

    @Test
    fun `a thread that waits with each call is counted`(lab: Lab) {
        shouldThrow<AssertionError> { lab.assertThreads(prices, atMost = 10, inFlight = 30) }.message.orEmpty() shouldContain
            "30 × caller-#"
        lab.assertThreads(jdk, atMost = 10)
    }

    @Test
    fun `what is left of a client that is not closed is named`(lab: Lab) {
        lab.assertNoLeak(prices)
        lab.assertNoLeak(jdk)
        val open = TestedClient.blocking({ url -> { Prices("$url").of(7) } }) { it() }
        shouldThrow<AssertionError> { lab.assertNoLeak(open) }.message.orEmpty() shouldContain "20 × OkHttp Dispatcher"
    }

    @Test
    fun `a concern of conduct fails, with what server and client did`(lab: Lab) {
        lab.assertConduct(prices, "idle.closed-get", "retries.closed-get")
        val patient = TestedClient.blocking({ url -> Prices("$url", Duration.ofMinutes(1)) }) { it.of(7) }
        shouldThrow<AssertionError> { lab.assertConduct(patient, "timeouts.no-answer") }.message shouldStartWith "timeouts.no-answer: "
        shouldThrow<AssertionError> { lab.assertConduct(prices, "idle.closed-post") }.message.orEmpty() shouldContain "add posting { … }"
        lab.assertConduct(prices.posting { it.order(7) }, "retries.closed-post")
        shouldThrow<LabException> { lab.assertConduct(prices, "retries.no-such") }.message shouldStartWith
            "There is no situation 'retries.no-such'"
    }

    @Test
    fun `the server answers every path as a test says, also behind a network`(lab: Lab) {
        lab.answer("""{"price":7}""")
        Prices("${lab.url}").use { it.of(7) shouldStartWith """{"price":7}""" }
        val decoding = TestedClient.blocking({ url -> Prices("$url") }) { check("price" in it.of(7)) }
        lab.assertConduct(decoding, "connections.after-200")
        val far = lab.url(rttMs = 100)
        Prices("$far").use { measureTime { it.of(7) }.inWholeMilliseconds shouldBeGreaterThanOrEqual 200 }
    }

    @Test
    fun `each test begins with a line that is answered at once`(lab: Lab) {
        Prices("${lab.url}").use { it.of(7) shouldBe "delayed 0 s\n" }
    }

    @Test
    fun `a client whose first call fails is not measured`(lab: Lab) {
        val dead = TestedClient.blocking({ Prices("http://127.0.0.1:1") }) { it.of(7) }
        shouldThrow<AssertionError> { lab.assertHolds(dead, inFlight = 10) }.message shouldStartWith "A single call fails: "
    }
}
