package clientlab.articles.threads

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.forks
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Every claim of source 000 against trials made by hand: some that bear it out and some that do not. */
class ThreadsClaimsTest : HeldToTrials(ThreadsArticle().claims) {
    private val blocking = listOf("retrofit", "ktor-okhttp", "fuel")
    private val async = listOf("ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio")

    private fun one(client: String, vararg levels: Int, metric: String, value: (inFlight: Int, round: Int) -> Double) =
        forks(client, *levels) { n, round -> mapOf(metric to value(n, round)) }

    private fun all(clients: List<String>, vararg levels: Int, metric: String, value: (inFlight: Int, round: Int) -> Double) =
        clients.flatMap { one(it, *levels, metric = metric, value = value) }

    private fun article(peak: Double, delays: Double) =
        forks("ktor-cio@article", 500, outcome = Outcome.Wave) { _, _ -> mapOf("inFlightPeak" to peak, "durationMs" to delays * 2000) }

    private fun opened(peak: Double, delays: Double) =
        forks("ktor-cio", 500) { _, _ -> mapOf("inFlightPeak" to peak, "durationMs" to delays * 2000) }

    private fun blurred(active: Double, unparked: Double) = async.flatMap { client ->
        forks(client, 500) { _, _ -> mapOf("activeNew" to active, "activeUnparkedNew" to unparked) }
    }

    private fun left(client: String, vararg names: String) = forks(client, 500, left = names.toList()) { _, _ -> emptyMap() }

    private fun loom(held: Double) = forks("retrofit-virtual", 500) { _, _ -> mapOf("threadsBlocked" to held, "durationMs" to 2300.0) }

    private fun counted(start: String, value: Double, runners: Int) =
        forks("retrofit", 100, start = start) { _, _ -> mapOf("activeUnparkedNew" to value) }
            .map { it.copy(threads = listOf(ThreadCount("OkHttp task runner", ThreadState.Waiting, runners))) }

    private fun sender(unparked: Double, held: Double) =
        forks("jdk-blocking", 500) { _, _ -> mapOf("activeUnparkedNew" to unparked, "threadsBlocked" to held) }

    /** Trials of the source's own releases, on two Javas. */
    private fun there(metric: String, value: Double) =
        listOf(
            "retrofit@article:2.9.0",
            "ktor-okhttp:2.3.7",
            "ktor-apache@article:2.3.7",
            "ktor-java@article:2.3.12",
            "ktor-cio@article:2.3.7",
        ).flatMap { one(it, 500, metric = metric) { _, _ -> value } }
            .flatMap { trial -> listOf("21.0.8", "25.0.3").map { trial.copy(treatment = trial.treatment.with(Factor.JAVA, it)) } }

    override val cases: Map<String, Case> =
        mapOf(
            "threads.blocking" to
                Case(
                    all(blocking, 100, 500, metric = "threadsBlocked") { n, _ -> n + 1.0 },
                    all(blocking, 100, 500, metric = "threadsBlocked") { n, _ -> n.toDouble() }.filter { it.treatment.client != "fuel" } +
                        one("fuel", 100, 500, metric = "threadsBlocked") { _, _ -> 64.0 },
                ),
            "threads.async" to
                Case(
                    all(async, 100, 500, metric = "activeUnparkedNew") { _, _ -> 5.0 },
                    all(async, 100, 500, metric = "activeUnparkedNew") { n, _ -> n / 100.0 + n / 50 },
                ),
            "threads.time100" to
                Case(
                    all(blocking + async, 100, metric = "durationMs") { _, _ -> 2150.0 },
                    all(blocking, 100, metric = "durationMs") { _, _ -> 2150.0 } +
                        one("ktor-cio", 100, metric = "durationMs") { _, _ -> 4000.0 },
                ),
            "threads.cio500" to
                Case(
                    one("ktor-cio@article", 100, 500, metric = "durationMs") { n, _ -> n * 20.0 },
                    one("ktor-cio@article", 100, 500, metric = "durationMs") { n, _ -> 2000.0 + n },
                ),
            "threads.route-cap" to Case(article(100.0, 5.1) + opened(500.0, 1.2), article(100.0, 5.1) + opened(100.0, 5.1)),
            "threads.apache" to
                Case(
                    one("ktor-apache", 500, metric = "durationMs") { _, round -> if (round < 3) 5000.0 else 2100.0 },
                    forks("ktor-apache", 500, forks = 80) { _, _ -> mapOf("durationMs" to 2100.0) },
                ),
            "threads.rest" to
                Case(
                    all(blocking + "ktor-apache5" + "ktor-java", 500, metric = "durationMs") { _, _ -> 2500.0 },
                    all(blocking + "ktor-apache5", 500, metric = "durationMs") { _, _ -> 2500.0 } +
                        one("ktor-java", 500, metric = "durationMs") { _, _ -> 5000.0 },
                ),
            "threads.parkrule" to
                Case(
                    one("retrofit", 500, metric = "activeNew") { _, _ -> 506.0 } + blurred(active = 100.0, unparked = 4.0),
                    one("retrofit", 500, metric = "activeNew") { _, _ -> 506.0 } + blurred(active = 100.0, unparked = 95.0),
                ),
            "threads.leak" to
                Case(left("ktor-java", "HttpClient-1-SelectorManager"), left("ktor-java")),
            "threads.leak-others" to
                Case((async - "ktor-java").flatMap { left(it) }, left("ktor-cio", "ktor-worker")),
            "threads.leak-okhttp" to
                Case(OKHTTP.flatMap { left(it, "OkHttp TaskRunner") }, left("retrofit") + left("ktor-okhttp", "OkHttp TaskRunner")),
            "threads.loom" to Case(loom(0.0), loom(500.0)),
            "threads.plus-one" to
                Case(counted("cold", 101.0, 1) + counted("warm", 100.0, 0), counted("cold", 101.0, 0) + counted("warm", 100.0, 0)),
            "threads.source-held" to Case(there("threadsBlocked", 500.0), there("threadsBlocked", 64.0)),
            "threads.source-async" to Case(there("activeUnparkedNew", 5.0), there("activeUnparkedNew", 500.0)),
            "threads.source-cio" to Case(there("durationMs", 10_400.0), there("durationMs", 2_400.0)),
            "threads.source-arrived" to Case(there("snapshotAtMs", 800.0), there("snapshotAtMs", 1_500.0)),
            "threads.parked-blocked" to Case(sender(1.0, 500.0), sender(500.0, 500.0)),
            "threads.fuel" to
                Case(
                    one("fuel@default", 100, 500, metric = "inFlightPeak") { _, _ -> 64.0 },
                    one("fuel@default", 100, 500, metric = "inFlightPeak") { n, _ -> n.toDouble() },
                ),
        )

    @Test
    fun `invalid trials decide nothing`() {
        val invalid = cases.getValue("threads.blocking").supports.map { it.copy(outcome = Outcome.Invalid) }
        verdict("threads.blocking", frame(*invalid.toTypedArray())).outcome shouldBe VerdictOutcome.Inconclusive
    }

    @Test
    fun `ids are unique and of the source's vocabulary`() {
        Claims.all.map { it.id }.shouldBeUnique()
        ThreadsArticle().claims.forEach { it.id shouldBeIn VOCABULARY }
        Claims.all.forEach { claim ->
            withClue(claim.id) {
                claim.words.last() shouldBe '.'
                claim.figure.isNotBlank() shouldBe true
            }
        }
        ThreadsArticle().claims.map { it.source }.distinct() shouldBe listOf("000")
    }

    private companion object {
        val OKHTTP = listOf("retrofit", "ktor-okhttp")

        /** What source 000 claims, and what reading it finds, by the names that the ledger has for them. */
        val VOCABULARY =
            listOf(
                "blocking",
                "async",
                "time100",
                "cio500",
                "apache",
                "rest",
                "parkrule",
                "idle-io",
                "leak",
                "leak-others",
                "leak-okhttp",
                "little",
                "megabyte",
                "choice",
                "production",
                "loom",
                "fast",
                "bulk",
                "route-cap",
                "plus-one",
                "parked-blocked",
                "arrived",
                "uneven-caps",
                "warmup",
                "average",
                "table",
                "fuel",
                "source-held",
                "source-async",
                "source-cio",
                "source-arrived",
                "idle-log",
            ).map { "threads.$it" }
    }
}
