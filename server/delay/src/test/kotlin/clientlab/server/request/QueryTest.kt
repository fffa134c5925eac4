package clientlab.server.request

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class QueryTest {
    @Test
    fun `a parameter is found wherever it stands, and the first one counts`() {
        queryValue("/delay?delay=1&a=7", "delay") shouldBe "1"
        queryValue("/delay?delay=1&a=7", "a") shouldBe "7"
        queryValue("/delay?a=7&a=8", "a") shouldBe "7"
    }

    @Test
    fun `a parameter whose name only begins alike is another one`() {
        queryValue("/delay?delayed=1&a=7", "delay") shouldBe null
        queryValue("/delay?xdelay=1", "delay") shouldBe null
    }

    @Test
    fun `a parameter without a value is empty, and one that is not there is null`() {
        queryValue("/delay?delay", "delay") shouldBe ""
        queryValue("/delay?delay=&a=1", "delay") shouldBe ""
        queryValue("/delay?", "delay") shouldBe null
        queryValue("/delay", "delay") shouldBe null
        queryValue("/delay?a=1&", "delay") shouldBe null
    }

    @Test
    fun `a value is decoded, and a stray percent sign is left as it came`() {
        queryValue("/delay?delay=1%2E5", "delay") shouldBe "1.5"
        queryValue("/delay?delay=%", "delay") shouldBe "%"
    }

    @Test
    fun `the path is taken from either form of a request target`() {
        pathOf("/delay?delay=1") shouldBe "/delay"
        pathOf("/delay") shouldBe "/delay"
        pathOf("http://localhost:80/delay?delay=1") shouldBe "/delay"
        pathOf("http://localhost:80") shouldBe "/"
    }
}
