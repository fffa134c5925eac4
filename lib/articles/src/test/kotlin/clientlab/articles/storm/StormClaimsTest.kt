package clientlab.articles.storm

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.of
import clientlab.storm.*
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** Every claim about storms, and their figure and table, against trials made by hand. */
class StormClaimsTest : HeldToTrials(stormClaims) {
    /** Forks of [client] whose server has recovered after [recovery] seconds, or has not. */
    private fun forks(client: String, retries: Retries, recovery: Double?, during: Double = 20.0, attempts: Double = 1.0): List<Trial> =
        List(8) { round ->
            Trial(
                experiment = "storm",
                round = round,
                treatment = Treatment(Factor.CLIENT to client, Factor.RETRIES to retries.label, Factor.START to "warm"),
                warmup = false,
                outcome = Outcome.Complete,
                metrics = mapOf(
                    "goodputBefore" to 50.0,
                    "goodputDuring" to during,
                    "goodputAfter" to if (recovery == null) 0.0 else 50.0 - recovery * 3,
                    "recovered" to if (recovery == null) 0.0 else 1.0,
                    "attemptsPerRequest" to attempts,
                ) + listOfNotNull(recovery?.let { "recoveryMs" to it * 1e3 }),
                series = Series(
                    seconds = listOf(0.5, 0.5),
                    answers = listOf(25, if (recovery == null) 0 else 20),
                    p50Ms = listOf(10.0, 10.0),
                    p99Ms = listOf(20.0, 20.0),
                ),
            )
        }

    private fun all(
        alone: Double? = 9.5,
        again: Double? = null,
        budget: Double? = 12.5,
        during: Double = 20.0,
        attempts: Double = 1.0,
    ): List<Trial> = listOf("retrofit@default", "retrofit", "ktor-cio").flatMap { client ->
        forks(client, Retries.none, alone, attempts = attempts) +
            listOf(Retries.immediate(), Retries.exponential()).flatMap { forks(client, it, again, during, attempts = 3.4) } +
            forks(client, Retries.budgeted(), budget, during, attempts = 1.1)
    }

    override val cases: Map<String, Case> = mapOf(
        "storm.alone" to Case(all(), all(alone = null)),
        "storm.immediate" to Case(all(), all(again = 9.0)),
        "storm.jitter" to Case(all(), all(again = 9.0)),
        "storm.budget" to Case(all(), all(budget = null)),
        "storm.gain" to Case(all(), all(during = 30.0)),
        "storm.once" to Case(all(), all(attempts = 1.5)),
    )

    @Test
    fun `the figure says after which ways of asking again the server recovers`() {
        val chart = of<Storm>(*all().toTypedArray()).stormChart()
        chart.title shouldBe "The server recovers with no retries or retries from a budget; " +
            "it does not with retries at once or retries after pauses"
        chart.facets.shouldNotBeNull().order.first() shouldBe "retries: none"
        chart.alt shouldContain "retrofit, retries: 3 at once: 50 answers a second before, 20 during and 0 after the surge"
        chartRenderer().render(chart).svg shouldStartWith "<svg"
        val mixed = forks("retrofit", Retries.none, 9.0) + forks("jdk", Retries.none, null)
        of<Storm>(*mixed.toTypedArray()).stormChart().title shouldBe "The server recovers in some forks"
    }

    @Test
    fun `the table says who recovers, the simplest policy first`() {
        val table = of<Storm>(*(forks("jdk", Retries.immediate(), null) + forks("jdk", Retries.none, 9.5)).toTypedArray()).stormTable()
        val some = List(8) { if (it < 6) forks("jdk", Retries.none, 9.5)[it] else forks("jdk", Retries.none, null)[it] }
        of<Storm>(*some.toTypedArray()).stormTable().rows().single()["recoverySeconds"] shouldBe "does not in 2 of 8 forks"
        val recoveries = table.rows().map { it["retries"] to it["recoverySeconds"] }
        recoveries shouldContainExactly listOf("none" to "9.50 [9.50, 9.50]", "3 at once" to "does not")
    }
}
