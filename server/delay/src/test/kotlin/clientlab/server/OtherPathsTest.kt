package clientlab.server

import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.util.concurrent.TimeUnit

/** A service's client asks for paths of its own, and a test says what it gets. */
@Timeout(120)
class OtherPathsTest {
    @Test
    fun `a path that is none of the server's is answered as the control port was told`() {
        RunningServer().use { server ->
            server.get("/price/7").statusCode() shouldBe 404
            server.controlPost("/otherwise?delay=0.2", body = """{"price":7}""").statusCode() shouldBe 200
            val begun = System.nanoTime()
            val answer = server.get("/price/7")
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) shouldBeGreaterThanOrEqual 200
            answer.body() shouldStartWith """{"price":7}"""
            answer.headers().firstValue("content-type").get() shouldBe "application/json"
            server.post("/orders", ByteArray(10)).statusCode() shouldBe 200
            server.get("/status/503").statusCode() shouldBe 503
            server.evidence().answeredEarly shouldBe 0
        }
    }

    @Test
    fun `without a text it is a line, and a delay that cannot be is refused`() {
        RunningServer().use { server ->
            server.controlPost("/otherwise").statusCode() shouldBe 200
            server.get("/any").body() shouldBe "delayed 0 s\n"
            val refused = server.controlPost("/otherwise?delay=long")
            refused.statusCode() shouldBe 400
            refused.body() shouldContain "delay=long is no delay of this server: give seconds from 0 to 60, such as delay=1.5."
        }
    }
}
