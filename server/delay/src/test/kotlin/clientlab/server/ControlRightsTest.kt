package clientlab.server

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

@Timeout(120)
class ControlRightsTest {
    @ParameterizedTest
    @ValueSource(
        strings = ["/evidence", "/evidence/await?inFlight=1", "/evidence/clock", "/evidence/requests", "/nowhere", "/evidence?token=wrong"],
    )
    fun `a port with a token says nothing without it`(path: String) {
        RunningServer(ServerSettings(token = TOKEN)).use { server ->
            val answer = server.control(path)
            answer.statusCode() shouldBe 401
            answer.headers().firstValue("www-authenticate").get() shouldBe "Bearer"
            answer.body() shouldContain "send Authorization: Bearer <token>"
        }
    }

    @Test
    fun `nothing is reset or ended without the token, and health is no secret`() {
        RunningServer(ServerSettings(token = TOKEN)).use { server ->
            server.get("/delay")
            server.controlPost("/evidence/reset").statusCode() shouldBe 401
            server.controlPost("/shutdown").statusCode() shouldBe 401
            server.evidence().arrived shouldBe 1
            server.control("/health").body() shouldBe "ok\n"
        }
    }

    @Test
    fun `the token opens the port, in the query or in a header`() {
        RunningServer(ServerSettings(token = TOKEN)).use { server ->
            server.control("/evidence?token=$TOKEN").statusCode() shouldBe 200
            server.control("/evidence", "Authorization" to "Bearer $TOKEN").statusCode() shouldBe 200
            server.control("/evidence", "Authorization" to "Basic $TOKEN").statusCode() shouldBe 401
            server.control("/evidence", "Authorization" to "Bearer ${TOKEN}x").statusCode() shouldBe 401
        }
    }

    @Test
    fun `where other machines may come, a token is made if none was given`() {
        val open = ServerSettings(host = "0.0.0.0", isExposed = true)
        val first = tokenOf(open)!!
        first shouldMatch "[0-9a-f]{32}"
        first shouldNotBe tokenOf(open)
        tokenOf(open.copy(token = TOKEN)) shouldBe TOKEN
        tokenOf(ServerSettings()) shouldBe null
        tokenOf(ServerSettings(host = "localhost")) shouldBe null
        tokenOf(ServerSettings(host = "::1")) shouldBe null
    }

    @ParameterizedTest
    @ValueSource(strings = ["0.0.0.0", "::", "192.0.2.1"])
    fun `other machines are not let in by accident`(host: String) {
        shouldThrow<CannotStartException> { DelayServer(ServerSettings(host = host)).use { it.start() } }.message shouldBe
            "$host lets other machines in: add --expose if that is meant, or leave --host out for 127.0.0.1."
    }

    @Test
    fun `an exposed server answers on every address, and its control port by token alone`() {
        DelayServer(ServerSettings(host = "0.0.0.0", isExposed = true)).use { server ->
            val endpoints = server.start()
            RawConnection(endpoints.port).use { it.sendRequest("/health").readAnswer().body shouldBe "ok\n" }
            RawConnection(
                endpoints.controlPort,
            ).use { it.sendRequest("/evidence").readAnswer().status shouldBe "HTTP/1.1 401 Unauthorized" }
            RawConnection(endpoints.controlPort).use { connection ->
                connection.sendRequest("/evidence", "Authorization: Bearer ${endpoints.token}")
                connection.readAnswer().status shouldBe "HTTP/1.1 200 OK"
            }
        }
    }

    @Test
    fun `a page of another address cannot reset the counters through a browser`() {
        RunningServer().use { server ->
            server.get("/delay")
            server.controlPost("/evidence/reset", "Origin" to "http://example.org").statusCode() shouldBe 403
            server.evidence().arrived shouldBe 1
            server.controlPost("/evidence/reset", "Origin" to "http://127.0.0.1:${server.controlPort}").statusCode() shouldBe 200
            server.evidence().arrived shouldBe 0
        }
    }

    private companion object {
        const val TOKEN = "a-token-for-this-test"
    }
}
