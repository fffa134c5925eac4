package clientlab.capacity

import clientlab.*
import clientlab.client.*
import clientlab.server.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.maps.shouldNotContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole searches, in this JVM, against the real server. */
class CapacityTrialTest {
    /** A criterion that a busy machine does not break by itself. */
    private val usual =
        Capacity(listOf(info("mine")), p99 = 900.milliseconds, answeredShare = 0.98, from = 50, probeLength = 1.seconds, warmUp = 1.seconds)
            .copy(start = listOf(Start.Warm))

    @Test
    fun `the limit of a server that takes so many requests a second is found within 5 percent in at most 12 probes`() {
        findsTheServersLimit(Random(42).nextInt(300, 900))
    }

    @Tag("long")
    @Test
    fun `limits drawn at random are found, ten of ten`() {
        val random = Random(7)
        repeat(10) { findsTheServersLimit(random.nextInt(200, 2_000)) }
    }

    /** Two requests in a hundred may be refused and the bucket holds those of 50 ms, so the highest rate that passes may be 3 % above. */
    private fun findsTheServersLimit(limit: Int) {
        val search = usual.copy(delay = 1.milliseconds, from = 200, probeLength = 3.seconds)
        RunningServer(ServerSettings(maxRate = limit, maxBurst = limit / 20)).use { server ->
            val trial = trial(search, client(::AsyncSession), server)
            withClue("limit $limit, probes ${trial.curves["probes"]}, ${trial.reasons}") {
                trial.metrics.getValue("capacityPerSecond").let {
                    it / limit shouldBeGreaterThan 0.95
                    it / limit shouldBeLessThan 1.05
                }
                if (!contradicted(trial)) trial.metrics.getValue("probes") shouldBeLessThanOrEqual 12.0
                // What was found is the server's limit and not the client's, so it must not count as the client's.
                trial.outcome shouldBe Outcome.Invalid
                trial.reasons.first() shouldMatch "The server turned \\d+ requests away: its own limit came first."
            }
        }
    }

    /** Whether a pause of this JVM made a probe fail that then passed: such a search needs more probes, and ends at the limit too. */
    private fun contradicted(trial: Trial) =
        trial.curves.getValue("probes").groupBy { (level) -> level }.values.any { probes -> probes.map { it.last() }.distinct().size > 1 }

    /** Little's law: k requests in flight that take d each are k / d a second. An overload of 7 % waits 200 ms at the end of a probe. */
    @Test
    fun `a client with a hidden limit of k requests at once carries k in each d`() {
        val search = usual.copy(p99 = 300.milliseconds, delay = 100.milliseconds, from = 100, probeLength = 3.seconds)
        val trial = RunningServer().use { trial(search, client(::hidden), it) }
        trial.outcome shouldBe Outcome.Complete
        withClue("probes ${trial.curves["probes"]}") {
            trial.metrics.getValue("capacityPerSecond") / (K / 0.1) shouldBeGreaterThan 0.75
            trial.metrics.getValue("capacityPerSecond") / (K / 0.1) shouldBeLessThan 1.1
            trial.metrics.getValue("beyondPerSecond") shouldBeGreaterThan trial.metrics.getValue("capacityPerSecond")
            trial.metrics.getValue("latencyP99Ms") shouldBeLessThanOrEqual 300.0
            // Half of the limit never waits for a permit, so an answer takes the server's delay.
            trial.metrics.getValue("halfLatencyP50Ms") / 100 shouldBeLessThan 1.5
            trial.metrics.getValue("halfAnsweredShare") shouldBeGreaterThan 0.99
            trial.metrics.getValue("nineTenthsLatencyP50Ms") shouldBeGreaterThan 100.0
            trial.metrics.getValue("halfRequestCpuMs") shouldBeGreaterThan 0.0
        }
    }

    @Test
    fun `the most in flight are as many as the client sends at once`() {
        val search = usual.copy(delay = 300.milliseconds, p99 = 2.seconds, from = 10, upTo = 200, by = SearchFor.InFlight)
        val trial = RunningServer().use { trial(search, client { limited(it, K) }, it) }
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["capacityInFlight"] shouldBe K.toDouble()
        trial.metrics["inFlightPeak"] shouldBe K.toDouble()
        trial.metrics.getValue("beyondInFlight") shouldBeLessThan K * 1.06
        trial.metrics shouldNotContainKey "capacityPerSecond"
    }

    @Test
    fun `where the highest rate passes, there is no capacity but a number that it is at least`() {
        val trial = RunningServer().use { trial(usual.copy(upTo = 100), client(::AsyncSession), it) }
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["atLeastPerSecond"] shouldBe 100.0
        trial.metrics shouldNotContainKey "capacityPerSecond"
        trial.metrics shouldNotContainKey "beyondPerSecond"
        trial.metrics shouldNotContainKey "halfLatencyP99Ms"
        trial.warnings.single() shouldStartWith "The highest load met the criterion"
        trial.curves.getValue("probes") shouldHaveSize trial.metrics.getValue("probes").toInt()
    }

    @Test
    fun `a client of which every second request hangs ends with a capacity of 0, and the trial ends`() {
        val hanging = client { Around(AsyncSession(it)) { number, send -> if (number % 2 == 1) awaitCancellation() else send() } }
        val trial = RunningServer().use { trial(usual.copy(from = 10), hanging, it) }
        trial.outcome shouldBe Outcome.Complete
        trial.metrics["capacityPerSecond"] shouldBe 0.0
        trial.metrics["beyondPerSecond"] shouldBe 10.0
        trial.warnings.single() shouldStartWith "Even a load of 10 did not meet the criterion"
        trial.errors.keys.single() shouldStartWith "no answer within"
    }

    /** A client that keeps its connections and never has more than [K] requests in flight, and does not say so. */
    private fun hidden(conditions: Conditions): Session {
        val permits = Semaphore(K)
        return Around(AsyncSession(conditions)) { _, send -> permits.withPermit { send() } }
    }

    /** One trial; made again, as a run would be, where this machine was too busy to send in time. */
    private fun trial(search: Capacity, client: Client, server: RunningServer): Trial {
        val kept = ArrayList<Trial>()
        do {
            server.probe().use { probe ->
                val spec = TrialSpec("made", 0, search, search.treatments.single(), server.address)
                CapacityTrial(TrialScope(spec, probe, client) { kept += it }, search).run()
            }
        } while (wasBusy(kept.last()) && kept.size < ATTEMPTS)
        return kept.last()
    }

    private fun wasBusy(trial: Trial) = (trial.reasons + trial.warnings).any { "The generator was the limit" in it || "contradicted" in it }

    private companion object {
        private const val ATTEMPTS = 3
        private const val K = 40
    }
}
