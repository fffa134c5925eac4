package clientlab.clients

import clientlab.*
import clientlab.clients.jdk.*
import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.MethodSource
import java.net.URI
import java.util.zip.CRC32

/** The contract that every client of the catalogue keeps: each in a JVM of its own, as a trial runs it, against the real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractTest {
    private lateinit var server: RealServer

    /** For HTTP/2 in cleartext: without `--upgrade` the server answers a client that offers it in HTTP/1.1. */
    private lateinit var upgrading: RealServer

    @BeforeAll
    fun start() {
        server = RealServer(listOf("--tls-port", "0", "--http3-port", "0"))
        upgrading = RealServer(listOf("--upgrade"))
    }

    @AfterAll
    fun stop() {
        server.close()
        upgrading.close()
    }

    @ParameterizedTest(name = CONTRACT, allowZeroInvocations = true)
    @MethodSource("opened")
    fun contract(id: String): Unit = keepsContract(id)

    @Tag("long")
    @ParameterizedTest(name = CONTRACT, allowZeroInvocations = true)
    @MethodSource("others")
    fun contractOfOthers(id: String): Unit = keepsContract(id)

    private fun keepsContract(id: String) {
        val info = info(id)
        // More than a limit lets through, but at most three times as many: a client that stops at 5 needs 20 waves for a hundred requests.
        val asked = info.limit?.takeIf { it <= BURST }?.let { minOf(ROUNDS * it, 2 * BURST) } ?: BURST
        // On a busy machine a hundred requests take longer to arrive, so each waits longer there.
        val delay = if (busyMachine().isEmpty()) "0.5" else "3"
        keepsContract(info, asked, "/delay?delay=$delay&a=contract")
    }

    @Tag("long")
    @ParameterizedTest(name = "{0} stops at the hundreds of connections that it declares", allowZeroInvocations = true)
    @MethodSource("hundreds")
    fun hundredsAreALimit(id: String): Unit = keepsContract(info(id), checkNotNull(info(id).limit) + BURST, "/delay?delay=5&a=limit")

    @Tag("long")
    @ParameterizedTest(name = "{0} does the same in {1}", allowZeroInvocations = true)
    @MethodSource("protocols")
    fun inEveryProtocol(id: String, protocol: Protocol): Unit = keepsContract(info(id), BURST, "/delay?delay=3&a=protocol", protocol)

    @Tag("long")
    @ParameterizedTest(name = "{0} has 1,000 in flight", allowZeroInvocations = true)
    @MethodSource("opened")
    fun aThousandInFlight(id: String): Unit = keepsContract(info(id), 1_000, "/delay?delay=5&a=thousand")

    @Tag("long")
    @ParameterizedTest(name = "{0}, whose requests hold no platform thread, has 5,000 in flight", allowZeroInvocations = true)
    @MethodSource("threadless")
    fun fiveThousandInFlight(id: String): Unit = keepsContract(info(id), 5_000, "/delay?delay=15&a=fivethousand")

    private fun keepsContract(info: ClientInfo, asked: Int, path: String, protocol: Protocol = Protocol.Http1) {
        val server = if (protocol == Protocol.H2c) upgrading else server
        val body = server.baseUrl
            .resolve(path.replace(Regex("delay=[0-9.]+"), "delay=0"))
            .body()
            .replace("0 s", path.delay() + " s")
        server.await(SECONDS) { it.int("connectionsOpen") == 0 }
        server.reset()
        val jvmArgs = info.jvmArgs.map { it.replace("{inFlight}", asked.toString()) }
        val arguments = listOf(info.id, LabJson.encodeToString(server.address), protocol.label, asked.toString(), path)
        ChildJvm("clientlab.clients.ContractRunKt", arguments, jvmArgs).use { child ->
            val seen = Json.decodeFromString<Seen>(child.line())
            val collected = info.expectedLeftovers.any { it.thread == JdkListing.SELECTOR }
            if (collected) child.say("collect")
            // HttpURLConnection declares some connections that it keeps for ten seconds; the test does not wait for them.
            val kept = if (collected) 0 else info.expectedLeftovers.maxOfOrNull { it.connections } ?: 0
            val evidence = server.await(SECONDS) { it.int("connectionsOpen") <= kept }
            val (peak, opened) = evidence.int("peakInFlight") to evidence.int("connectionsOpened")
            println("${info.id} $protocol: $peak of $asked in flight over $opened connections, $seen")
            named(info.id) {
                assertSoftly {
                    answered(seen, asked, body)
                    spoken(info, seen, evidence, asked, protocol)
                    inFlight(info, seen, evidence, minOf(asked, info.limit ?: asked))
                    clean(seen, evidence, kept)
                }
            }
        }
    }

    private fun answered(seen: Seen, asked: Int, body: ByteArray) {
        withClue("failures") { seen.failures.shouldBeEmpty() }
        withClue("answers by status") { seen.answers shouldBe mapOf(200 to asked) }
        withClue("bytes of the body") { seen.bytes shouldBe setOf(body.size.toLong()) }
        withClue("checksum of the body") { seen.checksums shouldBe setOf(CRC32().also { it.update(body) }.value) }
    }

    private fun spoken(info: ClientInfo, seen: Seen, evidence: JsonObject, asked: Int, protocol: Protocol) {
        withClue("protocol, as the client tells") { seen.protocols shouldBe setOf(protocol.wire) }
        withClue("protocol, as the server saw it") {
            val spoken = if (info.id in OFFERS_H2C) "h2c-upgrade-asked" else protocol.wire
            evidence.byProtocol().filterValues { it > 0 } shouldBe mapOf(spoken to asked + 1)
            (evidence.int("tlsHandshakes") > 0) shouldBe protocol.tls
        }
    }

    private fun inFlight(info: ClientInfo, seen: Seen, evidence: JsonObject, expected: Int) {
        withClue("peak in flight") { evidence.int("peakInFlight") shouldBe expected }
        withClue("answered early") { evidence.int("answeredEarly") shouldBe 0 }
        withClue("abandoned") { evidence.int("abandoned") shouldBe 0 }
        withClue(
            "$expected requests in flight held ${seen.held} platform threads: set threadPerRequest in its entry if each request " +
                "holds one, and leave it out if not. Figures draw a client by it",
        ) { info.threadPerRequest shouldBe (seen.held > expected / 2) }
    }

    private fun clean(seen: Seen, evidence: JsonObject, kept: Int) {
        withClue("threads left that its ClientInfo does not declare: end them in close, or declare them and when they end") {
            seen.left.shouldBeEmpty()
        }
        withClue("threads that match none of its owners: add a ThreadOwner with a pattern for their names") {
            seen.unowned.shouldBeEmpty()
        }
        withClue("connections left open that its ClientInfo does not declare") {
            evidence.int("connectionsOpen") shouldBeLessThanOrEqual kept
        }
    }

    /** Read on a connection that is closed at once, because the test counts the connections that stay open. */
    private fun URI.body(): ByteArray =
        toURL()
            .openConnection()
            .apply { setRequestProperty("Connection", "close") }
            .getInputStream()
            .use { it.readAllBytes() }

    private fun ByteArray.replace(old: String, new: String): ByteArray = decodeToString().replace(old, new).encodeToByteArray()

    private fun String.delay(): String = substringAfter("delay=").substringBefore('&')

    private companion object {
        const val CONTRACT = "{0} has as many in flight as it says, reads every answer and leaves nothing behind"
        const val BURST = 100
        const val ROUNDS = 3
        const val SECONDS = 30

        /** By default the JDK's client offers HTTP/2 with each request in cleartext. The server counts such requests apart. */
        val OFFERS_H2C = setOf("jdk@default", "ktor-java@default", "ktor-java@article")

        @JvmStatic
        fun opened(): List<String> = TestedClients.opened

        @JvmStatic
        fun others(): List<String> = TestedClients.ids - opened().toSet()

        @JvmStatic
        fun threadless(): List<String> = opened().filter { !info(it).threadPerRequest }

        @JvmStatic
        fun hundreds(): List<String> = TestedClients.ids.filter { (info(it).limit ?: 0) > BURST }

        @JvmStatic
        fun protocols(): List<Arguments> =
            opened().flatMap { id -> (info(id).protocols - Protocol.Http1).map { Arguments.of(id, it) } }
    }
}
