package clientlab.clients

import clientlab.ClientInfo
import clientlab.LabJson
import clientlab.Protocol
import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.MethodSource
import java.net.URI
import java.util.zip.CRC32

/** What every client of the catalogue keeps, each in a JVM of its own, as a trial runs it, against the real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractTest {
    private lateinit var server: RealServer

    /** For HTTP/2 in cleartext: a client that offers it is else answered in HTTP/1.1. */
    private lateinit var upgrading: RealServer

    @BeforeAll
    fun start() {
        server = RealServer(listOf("--tls-port", "0"))
        upgrading = RealServer(listOf("--upgrade"))
    }

    @AfterAll
    fun stop() {
        server.close()
        upgrading.close()
    }

    @ParameterizedTest(name = "{0} has as many in flight as it says, reads every answer and leaves nothing behind")
    @MethodSource("opened")
    fun contract(id: String): Unit = keepsContract(id)

    @Tag("long")
    @ParameterizedTest(name = "{0} has as many in flight as it says, reads every answer and leaves nothing behind")
    @MethodSource("others")
    fun contractOfOthers(id: String): Unit = keepsContract(id)

    private fun keepsContract(id: String) {
        val info = info(id)
        // More than a limit lets through, but no more than it takes: a client that stops at 5 would need 20 rounds of waiting.
        val asked = info.limit?.takeIf { it <= BURST }?.let { minOf(ROUNDS * it, 2 * BURST) } ?: BURST
        keepsContract(info, asked, "/delay?delay=0.5&a=contract")
    }

    @Tag("long")
    @ParameterizedTest(name = "{0} stops at the hundreds of connections that it declares")
    @MethodSource("hundreds")
    fun hundredsAreALimit(id: String): Unit = keepsContract(info(id), checkNotNull(info(id).limit) + BURST, "/delay?delay=5&a=limit")

    @Tag("long")
    @ParameterizedTest(name = "{0} does the same in {1}")
    @MethodSource("protocols")
    fun inEveryProtocol(id: String, protocol: Protocol): Unit = keepsContract(info(id), BURST, "/delay?delay=3&a=protocol", protocol)

    @Tag("long")
    @ParameterizedTest(name = "{0} has 1,000 in flight")
    @MethodSource("opened")
    fun aThousandInFlight(id: String): Unit = keepsContract(info(id), 1_000, "/delay?delay=5&a=thousand")

    @Tag("long")
    @ParameterizedTest(name = "{0}, which holds no thread for a request, has 5,000 in flight")
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
            val collected = info.expectedLeftovers.any { it.thread == KtorJavaListing.SELECTOR }
            if (collected) child.say("collect")
            // HttpURLConnection declares a few connections that it keeps for ten seconds; nobody need wait for them.
            val kept = if (collected) 0 else info.expectedLeftovers.maxOfOrNull { it.connections } ?: 0
            val evidence = server.await(SECONDS) { it.int("connectionsOpen") <= kept }
            println(
                "${info.id} $protocol: ${evidence.int(
                    "peakInFlight",
                )} of $asked in flight over ${evidence.int("connectionsOpened")} connections, $seen",
            )
            assertSoftly {
                withClue("failures") { seen.failures.shouldBeEmpty() }
                withClue("answers by status") { seen.answers shouldBe mapOf(200 to asked) }
                withClue("peak in flight") { evidence.int("peakInFlight") shouldBe minOf(asked, info.limit ?: asked) }
                withClue("answered early") { evidence.int("answeredEarly") shouldBe 0 }
                withClue("abandoned") { evidence.int("abandoned") shouldBe 0 }
                withClue("bytes of the body") { seen.bytes shouldBe setOf(body.size.toLong()) }
                withClue("checksum of the body") { seen.checksums shouldBe setOf(CRC32().also { it.update(body) }.value) }
                withClue("protocol, as the client tells") { seen.protocols shouldBe setOf(protocol.wire) }
                withClue("protocol, as the server saw it") {
                    val spoken = if (info.id in OFFERS_H2C) "h2c-upgrade-asked" else protocol.wire
                    evidence.byProtocol().filterValues { it > 0 } shouldBe mapOf(spoken to asked + 1)
                    (evidence.int("tlsHandshakes") > 0) shouldBe protocol.tls
                }
                withClue("threads left that are not declared") { seen.left.shouldBeEmpty() }
                withClue("threads whose owner is not told") { seen.unowned.shouldBeEmpty() }
                withClue("connections left open that are not declared") { evidence.int("connectionsOpen") shouldBeLessThanOrEqual kept }
            }
        }
    }

    /** Read on a connection that is closed at once, for those that stay open are counted. */
    private fun URI.body(): ByteArray =
        toURL()
            .openConnection()
            .apply { setRequestProperty("Connection", "close") }
            .getInputStream()
            .use { it.readAllBytes() }

    private fun ByteArray.replace(old: String, new: String): ByteArray = decodeToString().replace(old, new).encodeToByteArray()

    private fun String.delay(): String = substringAfter("delay=").substringBefore('&')

    private companion object {
        const val BURST = 100
        const val ROUNDS = 3
        const val SECONDS = 30

        /** The JDK's client as it comes: in cleartext it offers to go on in HTTP/2 by habit, which the server tells apart and answers in HTTP/1.1. */
        val OFFERS_H2C = setOf("jdk@default", "ktor-java@default", "ktor-java@article")

        fun info(id: String): ClientInfo = Catalogue().entries.map { it.info }.single { it.id == id }

        @JvmStatic
        fun ids(): List<String> = Catalogue().entries.map { it.info.id }

        @JvmStatic
        fun opened(): List<String> = ids().filter { info(it).configuration == ClientInfo.OPENED }

        @JvmStatic
        fun others(): List<String> = ids() - opened().toSet()

        @JvmStatic
        fun threadless(): List<String> =
            listOf("ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio", "jdk", "apache5-async") +
                listOf("spring-webclient", "vertx", "jetty", "netty-alone", "async-http-client", "armeria") +
                opened().filter { it.endsWith("-virtual") }

        @JvmStatic
        fun hundreds(): List<String> = ids().filter { (info(it).limit ?: 0) > BURST }

        @JvmStatic
        fun protocols(): List<Arguments> =
            opened().flatMap { id -> (info(id).protocols - Protocol.Http1).map { Arguments.of(id, it) } }
    }
}
