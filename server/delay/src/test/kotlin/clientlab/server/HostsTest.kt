package clientlab.server

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse

/** One server at several addresses of loopback. */
class HostsTest {
    @Test
    fun `each host answers, and the evidence counts all of them as one`() {
        DelayServer(ServerSettings(hosts = 3)).use { server ->
            val endpoints = server.start()
            endpoints.hosts shouldBeInRange 1..3
            val http = HttpClient.newHttpClient()
            (1..endpoints.hosts).forEach { host ->
                val request = HttpRequest.newBuilder(URI("http://127.0.0.$host:${endpoints.port}/delay?delay=0")).build()
                http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() shouldBe 200
            }
            server.evidence().answered shouldBe endpoints.hosts.toLong()
            server.evidence().connectionsOpened shouldBe endpoints.hosts.toLong()
        }
    }

    @Test
    fun `a server is at one host unless it is asked for more`() {
        DelayServer().use { it.start().hosts shouldBe 1 }
    }

    @Test
    fun `hosts are counted from loopback, so another address is refused`() {
        shouldThrow<CannotStartException> { parseArguments(arrayOf("--hosts", "2", "--host", "127.0.0.9")) }.message shouldContain
            "--hosts counts addresses from 127.0.0.1 on"
        shouldThrow<CannotStartException> { parseArguments(arrayOf("--hosts", "0")) }.message shouldContain "a whole number from 1 to 254"
    }
}
