package clientlab.burst

import clientlab.*
import clientlab.testing.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class BurstTest {
    private val open = info("open").copy(payloads = Payload.entries)
    private val five = info("five", limit = 5)
    private val burst = Burst(listOf(open), inFlight = listOf(100), delay = 1.seconds)

    @Test
    fun `a factor at its usual level alone is no part of the key, so that published trials keep theirs`() {
        burst.treatments.map { it.key } shouldContainExactly listOf("client=open;protocol=http/1.1;inFlight=100;delayMs=1000;start=warm")
    }

    @Test
    fun `nor is it written into a manifest`() {
        val json = ExperimentJson.encodeToString<Workload>(burst)
        listOf("server", "dispatcher", "payload", "instrument", "again", "timeline").forEach { json shouldNotContain "\"$it\":" }
        ExperimentJson.decodeFromString<Workload>(json) shouldBe burst
    }

    @Test
    fun `a factor with another level is a part of every key, the usual level too`() {
        burst.copy(dispatcher = listOf(Dispatch.AsCaller, Dispatch.Io)).treatments.map { it[Factor.DISPATCHER] } shouldContainExactly
            listOf("as-caller", "io")
        burst.copy(server = listOf(Server.Jetty)).treatments.map { it[Factor.SERVER] } shouldContainExactly listOf("jetty")
    }

    @Test
    fun `all levels are combined, and each combination is there once`() {
        val all =
            burst.copy(
                server = Server.entries,
                dispatcher = Dispatch.entries,
                payload = Payload.entries,
                start = listOf(Start.Warm, Start.Cold),
            )
        all.treatments.size shouldBe 2 * 5 * 2 * 2
        all.treatments.distinct().size shouldBe all.treatments.size
    }

    @Test
    fun `Jetty is needed by the treatments that ask for it, and by no other`() {
        val peers = burst.copy(server = Server.entries).let { both -> both.treatments.map { both.peers(it) } }
        peers shouldContainExactly listOf(emptySet(), setOf(Peer.Jetty))
    }

    @Test
    fun `JSON is refused of a client that does not decode it`() {
        shouldThrow<LabException> { Burst(listOf(five), payload = listOf(Payload.Json)) }.message shouldBe
            "five does not read an answer as json: ask it for text alone."
    }

    @Test
    fun `a protocol is refused of a client that does not speak it, and so is TLS to Jetty`() {
        val old = info("old").copy(protocols = listOf(Protocol.Http1, Protocol.Https1))
        shouldThrow<LabException> { Burst(listOf(open, old), protocol = listOf(Protocol.Http1, Protocol.H2c)) }.message shouldBe
            "old does not speak h2c: it speaks http/1.1, https/1.1, so leave one of the two out."
        shouldThrow<LabException> { burst.copy(server = Server.entries, protocol = listOf(Protocol.Https1)) }.message shouldBe
            "Jetty is asked in cleartext alone: leave out jetty or TLS."
    }

    @Test
    fun `a client says what it speaks in its own word, and a burst what its server has to`() {
        val json = ExperimentJson.encodeToString<Workload>(burst.copy(clients = listOf(open.copy(protocols = listOf(Protocol.Http1)))))
        json shouldNotContain "\"protocols\":"
        burst.copy(protocol = listOf(Protocol.Http1, Protocol.H2c)).protocols shouldBe setOf(Protocol.Http1, Protocol.H2c)
    }

    @Test
    fun `levels that are missing or there twice are refused, and so is a burst sent again too often`() {
        shouldThrow<LabException> { burst.copy(dispatcher = emptyList()) }.message shouldBe
            "The factor dispatcher of Burst needs at least one level."
        shouldThrow<LabException> { burst.copy(server = listOf(Server.Jetty, Server.Jetty)) }.message shouldBe
            "The level jetty of server stands in Burst more than once: name it once."
        shouldThrow<LabException> { burst.copy(again = -1) }.message shouldBe "A burst cannot be sent again -1 times: 0 to 1000 can."
    }

    @Test
    fun `a client that lets few through is asked for a shorter delay when it is only tried`() {
        val tried = Burst(listOf(open, five), inFlight = listOf(100), delay = 1.seconds, again = 50).smoke()
        tried.delay shouldBe 400.milliseconds
        tried.again shouldBe 1
        burst.smoke().delay shouldBe 800.milliseconds
    }

    @Test
    fun `what is expected counts the waves of a limit, and every time it is sent`() {
        val twice = Burst(listOf(five), inFlight = listOf(100), delay = 1.seconds, again = 1)
        twice.expected(twice.treatments.single()) shouldBe 40_300.milliseconds
    }
}
