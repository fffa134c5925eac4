package clientlab.articles.versions

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.forks
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory

/** Every claim about versions against trials made by hand: some that bear it out and some that do not. */
class VersionsClaimsTest : HeldToTrials(versionsClaims) {
    private fun burst(client: String, waves: Double, peak: Double, threads: Double = 0.0, alive: Double = 80.0, ms: Double = 2200.0) =
        forks(client, 500, outcome = if (waves > 1) Outcome.Wave else Outcome.Complete) { _, round ->
            mapOf(
                "batches" to waves,
                "inFlightPeak" to peak,
                "threadsBlocked" to threads,
                "threadsLive" to alive + round % 2,
                "durationMs" to ms + round,
            )
        }

    private fun cio(waves: Double, held: Double) =
        listOf("2.3.12", "3.5.2").flatMap { burst("ktor-cio@article:$it", waves, held) + burst("ktor-cio:$it", 1.0, 500.0) }

    private fun opened(new: Double, old: Double = 80.0) =
        burst("ktor-cio:2.3.12", 1.0, 500.0, alive = old) + burst("ktor-cio:3.5.2", 1.0, 500.0, alive = new)

    private fun timed(new: Double) = burst("ktor-cio:2.3.12", 1.0, 500.0) + burst("ktor-cio:3.5.2", 1.0, 500.0, ms = new)

    private fun holding(held: Double) =
        listOf("okhttp:4.12.0", "okhttp:5.5.1", "retrofit:2.9.0", "retrofit:3.0.0").flatMap { burst(it, 1.0, 500.0, threads = held) }

    private fun engines(java: Double) =
        listOf("ktor-okhttp:2.3.12", "ktor-okhttp:3.5.2", "retrofit:2.11.0").flatMap { burst(it, 1.0, 500.0, threads = 500.0) } +
            listOf("ktor-java:3.0.3", "ktor-apache:2.3.12", "ktor-apache5:3.5.2").flatMap { burst(it, 1.0, 500.0, threads = java) }

    private fun closed(vararg left: String) =
        forks("ktor-java:2.3.12", 500, left = listOf("HttpClient-1-SelectorManager")) { _, _ -> emptyMap() } +
            forks("ktor-java:3.5.2", 500, left = left.toList()) { _, _ -> emptyMap() }

    override val cases: Map<String, Case> =
        mapOf(
            "versions.cio-route" to Case(cio(5.0, 100.0), cio(1.0, 500.0)),
            "versions.threads-okhttp" to Case(holding(500.0), holding(64.0)),
            "versions.threads-cio" to
                Case(opened(80.0), opened(80.0) + burst("ktor-cio:3.3.3", 1.0, 500.0, threads = 500.0)),
            "versions.threads-engines" to Case(engines(java = 1.0), engines(java = 500.0)),
            "versions.leak" to Case(closed("HttpClient-1-SelectorManager"), closed()),
            "versions.idle-workers" to Case(opened(60.0), opened(140.0)),
            "versions.time" to Case(timed(2200.0), timed(4400.0)),
        )

    @TestFactory
    fun `a claim about versions that were not measured is open`(): List<DynamicTest> =
        cases.keys.map { id -> dynamicTest(id) { verdictShouldBe(VerdictOutcome.Inconclusive, id, burst("fuel", 1.0, 500.0)) } }
}
