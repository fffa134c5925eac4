package clientlab.gatewayload

import clientlab.*
import clientlab.closedloop.*
import clientlab.testing.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import kotlin.time.Duration.Companion.seconds

class GatewayLoadTest {
    private val one = listOf(info("retrofit"))

    @Test
    fun `every client meets every rate and every memory`() {
        val rate = GatewayLoad(listOf(info("a"), info("b")), rate = listOf(500, 1000), memoryMiB = listOf(256, 512))
        rate.treatments.size shouldBe 8
        rate.treatments.distinct().size shouldBe 8
        rate.treatments.first()[Factor.RATE] shouldBe "500"
        rate.treatments.first()[Factor.IN_FLIGHT] shouldBe null
        GatewayLoad(one, callers = 200).treatments.single()[Factor.IN_FLIGHT] shouldBe "200"
        rate.peers(rate.treatments.first()) shouldBe setOf(Peer.Gateway)
        rate.patience shouldBe 6.seconds
    }

    @Test
    fun `a bounded client is a configuration of its own`() {
        val pool = info("retrofit").bounded(200)
        pool.id shouldBe "retrofit@pool-200"
        pool.limit shouldBe 200
        shouldThrow<LabException> { pool.bounded(100) }
    }

    @Test
    fun `a small version is small`() {
        val smoke = GatewayLoad(one, rate = listOf(2000, 4000), memoryMiB = listOf(256, 512)).smoke()
        smoke.treatments.size shouldBe 1
        smoke.rate.single() shouldBe 200
        ClosedLoop(one).smoke().requests shouldBe 2000
    }

    @TestFactory
    fun `what cannot be is refused with a sentence`(): List<DynamicTest> =
        mapOf<String, () -> Any>(
            "A gateway needs a client" to { GatewayLoad(emptyList()) },
            "A rate of 0 is impossible" to { GatewayLoad(one, rate = listOf(0)) },
            "A load of 0 s is impossible" to { GatewayLoad(one, seconds = 0) },
            "A delay of 1m 1s is impossible" to { GatewayLoad(one, delay = 61.seconds) },
            "A gateway of 12 MiB is impossible" to { GatewayLoad(one, memoryMiB = listOf(12)) },
            "0 callers send nothing" to { GatewayLoad(one, callers = 0) },
            "The level 500 of rate stands in GatewayLoad more than once" to { GatewayLoad(one, rate = listOf(500, 500)) },
            "A closed loop needs a client" to { ClosedLoop(emptyList()) },
            "0 in flight of 10000 requests is impossible" to { ClosedLoop(one, inFlight = listOf(0)) },
            "The level retrofit of client stands in ClosedLoop more than once" to { ClosedLoop(one + one) },
        ).map { (sentence, make) ->
            dynamicTest(sentence) {
                shouldThrow<LabException> { make() }.message.shouldNotBeNull() shouldStartWith
                    sentence
            }
        }
}
