package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class DriftTablesTest {
    /** Ten rounds of a client whose times grow by 1 % a round, and of one whose times go to and fro. */
    private val trials =
        MadeTrials.frame(
            *List(10) { trial("retrofit", round = it, metrics = mapOf("durationMs" to 2000.0 + 20 * it)) }.toTypedArray(),
            *List(10) { trial("fuel", round = it, metrics = mapOf("durationMs" to 2000.0 + 20 * ((it * 7) % 10))) }.toTypedArray(),
        )

    @Test
    fun `a treatment that drifts is told from one that does not, and all together stand below`() {
        val drift = trials.drift("durationMs")
        drift.rows().map { listOf(it["treatment"], it["n"], it["drifts"]) } shouldBe
            listOf(listOf("retrofit", 10, "yes"), listOf("fuel", 10, "no"), listOf("all together", 10, drift.rows().last()["drifts"]))
        drift.rows().first().let {
            it["changePercent"] shouldBe "+9 [9, 9]"
            it["p"] shouldBe 1e-4
            it["pHolm"] shouldBe 2e-4
        }
        drift.columnNames().last() shouldBe ORIGIN
    }

    @Test
    fun `invalid trials do not drift`() {
        val with = MadeTrials.frame(
            *List(6) { trial("fuel", round = it, metrics = mapOf("durationMs" to 2000.0)) }.toTypedArray(),
            trial("fuel", round = 6, outcome = clientlab.Outcome.Invalid, metrics = mapOf("durationMs" to 1.0)),
        )
        with.drift().rows().first()["n"] shouldBe 6
    }

    @Test
    fun `where no order of so few rounds could have been told from chance, that is said`() {
        fun forks(rounds: Int, vararg clients: String) = MadeTrials.frame(
            *clients.flatMap { id -> List(rounds) { trial(id, round = it, metrics = mapOf("durationMs" to 2000.0 + it)) } }.toTypedArray(),
        )
        forks(4, "fuel").drift().rows().map { it["drifts"] } shouldBe listOf("too few rounds", "too few rounds")
        forks(5, "fuel").drift().rows().map { it["drifts"] } shouldBe listOf("yes", "yes")
        // Four treatments of five rounds cannot be told from chance each for itself, but all together can.
        forks(5, "fuel", "retrofit", "jdk", "okhttp").drift().rows().map { it["drifts"] } shouldBe List(4) { "too few rounds" } + "yes"
    }

    @Test
    fun `summary and notes warn of a treatment that drifts, and of nothing where none does`() {
        val summary = trials.summary()
        summary["durationMsDrift"].let { column -> List(column.size()) { column[it] } } shouldBe listOf("+9 [9, 9] %", "")
        trials
            .notes()
            .rows()
            .map { it["because"] as String }
            .first() shouldStartWith "retrofit: durationMs drifts by +9 [9, 9] %"
        val steady = MadeTrials.frame(*List(10) { trial("fuel", round = it) }.toTypedArray())
        steady.summary().columnNames() shouldNotContain "durationMsDrift"
        steady.notes().rowsCount() shouldBe 0
        trials.summary("threadsBlocked").columnNames() shouldNotContain "threadsBlockedDrift"
        summary.columnNames() shouldContain "durationMsDrift"
    }

    @Test
    fun `a metric that is not there is refused`() {
        shouldThrow<LabException> { trials.drift("speed") }.message shouldBe
            "These trials have no metric 'speed'; dictionary() lists those there are."
    }
}
