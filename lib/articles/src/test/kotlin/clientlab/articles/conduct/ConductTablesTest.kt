package clientlab.articles.conduct

import clientlab.*
import clientlab.conduct.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** Trials of conduct made by hand, and what their tables say. */
class ConductTablesTest {
    private fun trial(client: String, round: Int, vararg observations: Observation, outcome: Outcome = Outcome.Complete) = Trial(
        experiment = "made",
        round = round,
        treatment = Treatment(Factor.CLIENT to client),
        warmup = false,
        outcome = outcome,
        metrics = mapOf("situations" to observations.size.toDouble()),
        observations = observations.toList(),
    )

    private val late = Observation("timeouts.no-answer", "fails late", ms = 1_400.0, concern = "It is late.")
    private val inTime = Observation("timeouts.no-answer", "fails in time", ms = 401.0)
    private val again = Observation("connections.after-200", "uses the connection again")
    private val other = Observation("connections.after-200", "opens another connection")

    private val trials = of<Conduct>(
        *Array(3) { trial("okhttp", it, inTime.copy(ms = 400.0 + it), again) },
        *Array(3) { trial("mine", it, late, if (it == 2) other else again) },
        trial("mine", 3, inTime, other, outcome = Outcome.Invalid),
    )

    @Test
    fun `what is a concern comes first, then what varies, and an invalid trial has no part in it`() {
        val rows = trials.facts().rows().toList()
        rows.map { "${it["client"]} ${it["situation"]}" } shouldContainExactly listOf(
            "mine timeouts.no-answer",
            "mine connections.after-200",
            "okhttp timeouts.no-answer",
            "okhttp connections.after-200",
        )
        rows.map { it["fact"] } shouldContainExactly listOf(
            "fails late",
            "varies: uses the connection again (2 of 3); opens another connection (1 of 3)",
            "fails in time",
            "uses the connection again",
        )
        rows.map { it["ms"] } shouldContainExactly listOf("1,400", "", "401", "")
        rows.map { it["n"] }.distinct() shouldContainExactly listOf(3)
        rows.map { it["concern"] } shouldContainExactly listOf("It is late.", "", "", "")
    }

    @Test
    fun `a matrix has a row for each situation and a column for each client`() {
        val matrix = trials.factsByClient()
        matrix.columnNames() shouldContainExactly listOf("situation", "okhttp", "mine", "origin")
        matrix.rows().first().let { listOf(it["situation"], it["okhttp"], it["mine"]) } shouldContainExactly
            listOf("timeouts.no-answer", "fails in time", "fails late !")
    }

    @Test
    fun `every situation has a story`() {
        situations().rows().map { it["situation"] } shouldContainExactly Conduct.stories.keys.toList()
        Conduct.stories.values.filter { !it.endsWith(".") } shouldBe emptyList()
    }
}
