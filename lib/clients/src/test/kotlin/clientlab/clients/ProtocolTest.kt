package clientlab.clients

import clientlab.*
import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.MethodSource

/**
 * Every protocol that a client declares beside HTTP/1.1, as the server saw it: some requests and an upload. One JVM does it for all
 * clients, so that it takes seconds. [ContractTest] does it with a JVM per client and a hundred requests in flight.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtocolTest {
    private lateinit var server: RealServer
    private lateinit var child: ChildJvm

    @BeforeAll
    fun start() {
        server = RealServer(listOf("--tls-port", "0", "--upgrade", "--http3-port", "0"))
        child = ChildJvm("clientlab.clients.ProtocolRunKt", listOf(checkNotNull(server.address.certificate)))
    }

    @AfterAll
    fun stop() {
        child.close()
        server.close()
    }

    @ParameterizedTest(name = "{0} speaks {1}", allowZeroInvocations = true)
    @MethodSource("opened")
    fun speaks(id: String, protocol: Protocol): Unit = speaksIt(id, protocol)

    @Tag("long")
    @ParameterizedTest(name = "{0} speaks {1}", allowZeroInvocations = true)
    @MethodSource("others")
    fun speaksInAnyConfiguration(id: String, protocol: Protocol): Unit = speaksIt(id, protocol)

    private fun speaksIt(id: String, protocol: Protocol) {
        server.reset()
        child.say(LabJson.encodeToString(ProtocolAsked(id, protocol, server.address, REQUESTS, BODY.toLong())))
        val seen = LabJson.decodeFromString<ProtocolSeen>(child.line())
        val evidence = server.evidence()
        println("$id $protocol: ${evidence.int("connectionsOpened")} connections, $seen")
        named("$id $protocol") { holds(protocol, seen, evidence) }
    }

    private fun holds(protocol: Protocol, seen: ProtocolSeen, evidence: JsonObject) =
        assertSoftly {
            withClue("failure") { seen.failure shouldBe null }
            withClue("answers by status and protocol, as the client tells") {
                seen.told shouldBe mapOf("200 ${protocol.wire}" to REQUESTS + 1)
            }
            withClue("requests by protocol, as the server saw them") {
                evidence.byProtocol().filterValues { it > 0 } shouldBe mapOf(protocol.wire to REQUESTS + 1)
            }
            withClue("connections on which TLS was agreed upon") {
                evidence.int("tlsHandshakes") shouldBe if (protocol.tls) evidence.int("connectionsOpened") else 0
            }
            withClue("bytes of bodies, as the server read them") { evidence.int("bytesReceived") shouldBe BODY }
        }

    private companion object {
        const val REQUESTS = 5
        const val BODY = 100_000

        @JvmStatic
        fun opened(): List<Arguments> = declared(TestedClients.opened)

        @JvmStatic
        fun others(): List<Arguments> = declared(TestedClients.ids - TestedClients.opened.toSet())

        /** The contract tests HTTP/1.1 in cleartext. */
        private fun declared(ids: List<String>): List<Arguments> =
            ids.flatMap { id -> (info(id).protocols - Protocol.Http1).map { Arguments.of(id, it) } }
    }
}
