package clientlab.openloop

import clientlab.*
import clientlab.testing.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class OpenLoopTest {
    private val two = listOf(info("a"), info("b"))

    @Test
    fun `every client meets every rate, and one with a rate of its own that alone`() {
        asked(OpenLoop(two, rate = listOf(500, 1_000))) shouldContainExactly listOf("a" to 500L, "a" to 1_000L, "b" to 500L, "b" to 1_000L)
        val own = OpenLoop(two, rate = listOf(500, 1_000), rateOf = mapOf("b" to 678))
        asked(own) shouldContainExactly listOf("a" to 500L, "a" to 1_000L, "b" to 678L)
        asked(own.withClients(two.take(1))) shouldContainExactly listOf("a" to 500L, "a" to 1_000L)
        asked(own.smoke()) shouldContainExactly listOf("a" to 200L, "b" to 200L)
    }

    @Test
    fun `a manifest that is older than rates of one's own is read as one without them`() {
        val json = ExperimentJson.encodeToString<Workload>(OpenLoop(two))
        val before = json.replace(""","rateOf":{}""", "")
        before shouldNotBe json
        ExperimentJson.decodeFromString<Workload>(before) shouldBe OpenLoop(two)
    }

    @TestFactory
    fun `what cannot be is refused with a sentence`(): List<DynamicTest> =
        mapOf<String, () -> Any>(
            "Latency needs a client" to { OpenLoop(emptyList()) },
            "A rate of 0 is impossible: 1 to 50000 are" to { OpenLoop(two, rate = listOf(500, 0)) },
            "A rate of 60000 is impossible" to { OpenLoop(two, rateOf = mapOf("a" to 60_000)) },
            "rateOf has a rate for 'c', which is not among the clients: a, b are" to { OpenLoop(two, rateOf = mapOf("c" to 500)) },
            "A load of 0 s is impossible" to { OpenLoop(two, seconds = 0) },
            "A delay of 11s is impossible" to { OpenLoop(two, delay = 11.seconds) },
            "A warm-up of 100ms is impossible: it takes 1 s to 1m" to { OpenLoop(two, warmUp = 100.milliseconds) },
            "A pause of 200ms in each 100ms is impossible" to { Pause(200.milliseconds, 100.milliseconds) },
            "0 callers send nothing" to { OpenLoop(two, callers = 0) },
            "The level 500 of rate stands in OpenLoop more than once" to { OpenLoop(two, rate = listOf(500, 500)) },
        ).map { (sentence, make) ->
            dynamicTest(sentence) { shouldThrow<LabException> { make() }.message.shouldNotBeNull() shouldStartWith sentence }
        }

    private fun asked(load: OpenLoop) = load.treatments.map { it.client to it.number(Factor.RATE) }
}
