package clientlab.server

import clientlab.server.answer.*
import clientlab.server.evidence.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import javax.net.ssl.SSLException

@Timeout(120)
class TlsTest {
    @AutoClose
    private val server = RunningServer(ServerSettings(tlsPort = 0))

    @ParameterizedTest
    @CsvSource("HTTP_2,h2", "HTTP_1_1,http/1.1")
    fun `a client that trusts the certificate is answered in the version that it offers`(version: HttpClient.Version, key: String) {
        tlsClient(server.certificate, version).use { client ->
            val answers = listOf("localhost", "127.0.0.1").map { client.get("https://$it:${server.tlsPort}/delay?delay=0.02&a=7") }
            answers.map { it.version() } shouldContainExactly listOf(version, version)
            answers.map { it.body() } shouldContainExactly List(2) { "delayed 0.02 s, a=7\n" }
            val seen = server.evidence()
            seen.requestsByProtocol shouldContainExactly mapOf(key to 2L)
            listOf(seen.tlsHandshakes, seen.connectionsOpened, seen.answeredEarly) shouldContainExactly listOf(2, 2, 0)
        }
    }

    @Test
    fun `three hundred at once go over one connection, all in flight, and all are answered`() {
        tlsClient(server.certificate, HttpClient.Version.HTTP_2).use { client ->
            val url = "https://localhost:${server.tlsPort}/delay?delay=2"
            client.get("https://localhost:${server.tlsPort}/health")
            val answers = List(300) { client.sendAsync(HttpRequest.newBuilder(URI(url)).build(), HttpResponse.BodyHandlers.ofString()) }
            server.awaitInFlight(300)
            answers.forEach { it.within().statusCode() shouldBe 200 }
            val seen = server.evidence()
            seen.connectionsByProtocol shouldContainExactly
                mapOf("h2" to ProtocolUse(connections = 1, requests = 301, reused = 300, mostPerConnection = 301, mostAtOnce = 300))
        }
    }

    @Test
    fun `bytes come and go over TLS`() {
        tlsClient(server.certificate, HttpClient.Version.HTTP_2).use { client ->
            val bytes = client
                .sendAsync(
                    HttpRequest.newBuilder(URI("https://localhost:${server.tlsPort}/bytes/3000000")).build(),
                    HttpResponse.BodyHandlers.ofByteArray(),
                ).within()
                .body()
            val sunk = client
                .sendAsync(
                    HttpRequest
                        .newBuilder(
                            URI("https://localhost:${server.tlsPort}/sink"),
                        ).POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
                        .build(),
                    HttpResponse.BodyHandlers.ofString(),
                ).within()
                .body()
            sunk shouldBe """{"bytes":3000000,"crc32":"${BytePattern.crc32(3_000_000).toString(16).padStart(8, '0')}"}""" + "\n"
        }
    }

    @Test
    fun `a client that does not trust the certificate comes to no agreement, and the server lives`() {
        val other = SelfSignedCertificate.forHost("127.0.0.1").pem
        tlsClient(other, HttpClient.Version.HTTP_2).use { client ->
            shouldThrow<SSLException> {
                client.send(
                    HttpRequest.newBuilder(URI("https://localhost:${server.tlsPort}/")).build(),
                    HttpResponse.BodyHandlers.ofString(),
                )
            }
        }
        RawConnection(server.tlsPort).use { it.send("GET / HTTP/1.1\r\n\r\n").readToEnd() }
        val seen = server.evidenceWhere { it.connectionsOpen == 0 }
        listOf(seen.arrived, seen.tlsHandshakes, seen.connectionsOpened) shouldContainExactly listOf(0, 0, 2)
    }

    @Test
    fun `the control port has the certificate, and says where there is none`() {
        server.control("/certificate").body() shouldBe server.certificate
        RunningServer().use { without ->
            val answer = without.control("/certificate")
            answer.statusCode() shouldBe 404
            answer.body() shouldContain "--tls-port"
        }
    }

    @Test
    fun `a fault and a limit are over TLS what they are without`() {
        tlsClient(server.certificate, HttpClient.Version.HTTP_1_1).use { client ->
            client.get("https://localhost:${server.tlsPort}/delay?close=1").statusCode() shouldBe 200
            server.evidenceWhere { it.connectionsOpen == 0 }.answeredOk shouldBe 1
        }
    }

    private fun HttpClient.get(url: String): HttpResponse<String> =
        sendAsync(HttpRequest.newBuilder(URI(url)).build(), HttpResponse.BodyHandlers.ofString()).within()
}
