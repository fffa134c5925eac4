package clientlab.articles.gateway

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.RUN
import clientlab.notebook.made.MadeTrials.forks
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** What source 000 leaves open, against trials made by hand. */
class GatewayClaimsTest {
    private fun made(vararg levels: Pair<String, Any>, forks: Int = 6, metrics: Map<String, Double>): List<Trial> =
        List(forks) { round -> Trial("made", round, Treatment(*levels), warmup = false, outcome = Outcome.Complete, metrics = metrics) }

    private fun gateway(client: String, rate: Int = 500, forks: Int = 6, vararg metrics: Pair<String, Double>) =
        made(
            Factor.CLIENT to client,
            Factor.RATE to rate,
            Factor.DELAY_MS to 2000,
            Factor.MEMORY_MIB to 256,
            forks = forks,
            metrics = mapOf("answeredShare" to 1.0, "survived" to 1.0) + metrics,
        )

    private fun costs(client: String, cpu: Double, threads: Double = 50.0, answered: Double = 1.0) =
        gateway(
            client,
            metrics =
                arrayOf("answeredShare" to answered, "requestCpuMs" to cpu, "anonPeakBytes" to 2e8, "osThreadsPeak" to threads),
        )

    private fun held(threads: Double, forks: Int = 6) =
        gateway("retrofit", forks = forks, metrics = arrayOf("osThreads" to threads, "osThreadsBaseline" to 30.0))

    private fun loop(client: String, perSecond: Double) =
        made(Factor.CLIENT to client, Factor.IN_FLIGHT to 64, Factor.TASKS to 10_000, metrics = mapOf("requestsPerSecond" to perSecond))

    private fun idle(client: String, beside: String, threads: Double) =
        made(
            Factor.CLIENT to client,
            Factor.IN_FLIGHT to 500,
            Factor.DELAY_MS to 2000,
            Factor.BACKGROUND to beside,
            metrics = mapOf("activeNew" to threads, "durationMs" to 2400.0),
        )

    private fun idles(more: Double) =
        listOf("retrofit", "ktor-java").flatMap { idle(it, "none", 500.0) + idle(it, "idle-io", 500.0 + more) }

    private fun grown(bytes: Double) =
        listOf("retrofit", "ktor-okhttp", "jdk-blocking").flatMap {
            forks(it, 100, 500) { n, _ -> mapOf("rssBytes" to 1e8 + n * bytes, "osThreads" to n + 30.0) }
        }

    private fun arrivals(ms: Double) =
        listOf("retrofit", "ktor-okhttp", "fuel", "ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio")
            .flatMap { forks(it, 500) { _, _ -> mapOf("snapshotAtMs" to ms) } }

    private fun caps(article: Double) =
        forks("ktor-apache5@article", 1200, outcome = Outcome.Wave) { _, _ -> mapOf("inFlightPeak" to article) } +
            forks("ktor-apache5", 1200) { _, _ -> mapOf("inFlightPeak" to 1200.0) }

    private class Case(val supports: List<Trial>, val refutes: List<Trial>, val tooFew: List<Trial>)

    private val cases: Map<String, Case> =
        mapOf(
            "threads.little" to Case(held(1030.0), held(130.0), held(1030.0, forks = 3)),
            "threads.choice" to
                Case(
                    costs("ktor-java", 1.0) + costs("ktor-apache5", 1.05) + costs("retrofit", 1.2, threads = 1000.0),
                    costs("ktor-java", 1.0) + costs("ktor-apache5", 1.0, answered = 0.0) + costs("ktor-cio", 0.5),
                    costs("ktor-java", 1.0),
                ),
            "threads.fast" to
                Case(
                    loop("retrofit", 9000.0) + loop("ktor-java", 6000.0) + loop("ktor-apache5", 7000.0),
                    loop("retrofit", 5000.0) + loop("ktor-java", 6000.0) + loop("ktor-apache5", 7000.0),
                    loop("retrofit", 9000.0),
                ),
            "threads.idle-io" to Case(idles(10.0), idles(400.0), idle("retrofit", "none", 500.0)),
            "threads.megabyte" to Case(grown(1e6), grown(2e5), grown(1e6).filter { it.treatment.client != "retrofit" }),
            "threads.arrived" to Case(arrivals(400.0), arrivals(1400.0), arrivals(400.0).filter { it.treatment.client != "fuel" }),
            "threads.uneven-caps" to Case(caps(1000.0), caps(1200.0), caps(1000.0).filter { it.treatment.client == "ktor-apache5" }),
        )

    @TestFactory
    fun `each is supported, refuted or left open by trials that say so`(): List<DynamicTest> =
        cases.flatMap { (id, case) ->
            listOf(
                VerdictOutcome.Supported to case.supports,
                VerdictOutcome.Refuted to case.refutes,
                VerdictOutcome.Inconclusive to case.tooFew,
            ).map { (outcome, trials) ->
                dynamicTest("$id is $outcome") {
                    val verdict = verdict(id, trials.toTrials(RUN))
                    withClue(verdict) { verdict.outcome shouldBe outcome }
                }
            }
        }

    @Test
    fun `what the source's own figures decide needs no trial`() {
        listOf("threads.table", "threads.idle-log").forEach { id ->
            withClue(verdict(id)) { verdict(id).outcome shouldBe VerdictOutcome.Supported }
        }
        // The times of one log are too few to tell a spread.
        verdict("threads.average").outcome shouldBe VerdictOutcome.Inconclusive
    }

    @Test
    fun `what nothing here could decide says why`() {
        listOf("threads.production", "threads.warmup").forEach { verdict(it).outcome shouldBe VerdictOutcome.NotTestable }
        verdict("threads.warmup").words shouldContain "code"
    }
}
