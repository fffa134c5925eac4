package clientlab.burst

import clientlab.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

/** A burst with blocking tasks beside it. */
class BackgroundLoadTest {
    @Test
    fun `a burst with nothing beside it has no such factor`() {
        Burst(listOf(info("a"))).treatments.forEach { it[Factor.BACKGROUND] shouldBe null }
        Burst(
            listOf(info("a")),
            inFlight = listOf(9),
            background = BackgroundLoad.entries,
        ).treatments.map { it[Factor.BACKGROUND] } shouldBe
            listOf("none", "idle-io")
    }

    @Test
    fun `the snapshot sees the threads of the tasks beside the requests`() {
        val (alone, beside) = BackgroundLoad.entries.map(::trial)
        alone.metrics shouldNotContainKey "besideMs"
        beside.metrics shouldContainKey "besideMs"
        beside.metrics.getValue("besideMs") shouldBeGreaterThanOrEqual 1500.0
        beside.metrics.getValue("activeUnparkedNew") shouldBeGreaterThanOrEqual alone.metrics.getValue("activeUnparkedNew") + 32
    }

    private fun trial(what: BackgroundLoad): Trial =
        RunningServer().use { server ->
            val info = info("mine")
            val burst = Burst(listOf(info), inFlight = listOf(5), delay = 2.seconds, background = BackgroundLoad.entries)
            val treatment = burst.treatments.first { it[Factor.BACKGROUND] == what.label }
            val kept = ArrayList<Trial>()
            server.probe().use { probe ->
                burstTrial(
                    TrialScope(TrialSpec("made", 0, burst, treatment, server.address), probe, client(::SocketSession)) { kept += it },
                    burst,
                )
            }
            kept.last()
        }
}
