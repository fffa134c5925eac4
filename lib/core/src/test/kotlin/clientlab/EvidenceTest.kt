package clientlab

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class EvidenceTest {
    private fun http2(opened: Long, carrying: Long) =
        Evidence(answered = 100, connectionsOpened = opened, connectionsByProtocol = mapOf("h2" to ProtocolUse(carrying, requests = 100)))

    @Test
    fun `connections that carried nothing are not among the connections per request`() {
        http2(opened = 50, carrying = 2).connectionsPerRequest shouldBe 0.02
    }

    @Test
    fun `connections that were there before are not new, though they carry requests`() {
        http2(opened = 0, carrying = 2).connectionsPerRequest shouldBe 0.0
        http2(opened = 1, carrying = 2).connectionsPerRequest shouldBe 0.01
    }

    @Test
    fun `evidence without protocols counts every connection, and without answers there is no number`() {
        Evidence(answered = 4, connectionsOpened = 4).connectionsPerRequest shouldBe 1.0
        Evidence(connectionsOpened = 4).connectionsPerRequest.shouldBeNull()
    }
}
