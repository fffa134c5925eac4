package clientlab.capacity

import clientlab.*
import clientlab.testing.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

class CapacityTest {
    private val two = listOf(info("a"), info("b"))

    @Test
    fun `every client is searched once, and its criterion is part of the treatment`() {
        Capacity(two).treatments.map { "$it" } shouldContainExactly listOf("a", "b").map { "$it, 5 ms, p99 of 20 ms, steady" }
        val spoken = Capacity(two.take(1), protocol = listOf(Protocol.Http1, Protocol.H2c))
        spoken.treatments.map { it[Factor.PROTOCOL] } shouldContainExactly listOf("http/1.1", "h2c")
    }

    @Test
    fun `a search for requests in flight has a main metric of its own, and is in the manifest only where it is asked for`() {
        Capacity(two).mainMetric.name shouldBe "capacityPerSecond"
        Capacity(two, upTo = 5_000, by = SearchFor.InFlight).mainMetric.name shouldBe "capacityInFlight"
        ExperimentJson.encodeToString<Workload>(Capacity(two)) shouldNotContain "\"by\""
    }

    @TestFactory
    fun `what cannot be is refused with a sentence`(): List<DynamicTest> =
        mapOf<String, () -> Any>(
            "A capacity needs a client" to { Capacity(emptyList()) },
            "A p99 of 5ms is impossible: it is longer than the delay of 5ms" to { Capacity(two, p99 = 5.milliseconds) },
            "An answered share of 1.5 is impossible: 0.5 to 1.0 are" to { Capacity(two, answeredShare = 1.5) },
            "A delay of 0s is impossible here" to { Capacity(two, delay = 0.milliseconds) },
            "A search up to 60000 is impossible: it goes up to 10 at least and 50000 at most" to { Capacity(two, upTo = 60_000) },
            "A search up to 50000 is impossible: it goes up to 10 at least and 15000 at most" to { Capacity(two, by = SearchFor.InFlight) },
            "A search from 5 is impossible: it begins with 10 to 50000" to { Capacity(two, from = 5) },
            "A probe of 100ms is impossible" to { Capacity(two, probeLength = 100.milliseconds) },
            "A capacity is searched in a warmed fork" to { Capacity(two, start = listOf(Start.Cold)) },
            "A search for requests in flight sends bursts" to {
                Capacity(two, upTo = 100, from = 50, by = SearchFor.InFlight, start = listOf(Start.Steady))
            },
            "A warm-up of 3m is impossible" to { Capacity(two, warmUp = 3.minutes) },
            "The level a of client stands in Capacity more than once" to { Capacity(listOf(info("a"), info("a"))) },
        ).map { (sentence, make) ->
            dynamicTest(sentence) { shouldThrow<LabException> { make() }.message.shouldNotBeNull() shouldStartWith sentence }
        }
}
