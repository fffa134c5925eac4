package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.figure.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class AliasesTest {
    private fun frame(trials: List<clientlab.Trial>) = MadeTrials.frame(*trials.toTypedArray())

    private fun AnyFrame.column(name: String) = rows().map { "${it[name]}" }

    @Test
    fun `each client is beside itself in every metric that articles compare by, and differs in none`() {
        val table = frame(MadeAliases.trials()).aa()
        table.column("metric") shouldContainExactlyInAnyOrder
            List(2) { listOf("durationMs", "batches", "threadsBlocked", "threadsLeft") }.flatten()
        table.column("includes 1").distinct() shouldContainExactly listOf("yes")
        table.column("n").distinct() shouldContainExactly listOf("20")
        table
            .rows()
            .filter { it["metric"] != "durationMs" }
            .map { it["ratio"] }
            .distinct() shouldContainExactly listOf("1 [1, 1]")
        table.column("treatment").distinct() shouldContainExactly
            listOf("retrofit, http/1.1, 100 in flight, 1000 ms, warm", "ktor-cio, http/1.1, 100 in flight, 1000 ms, warm")
    }

    @Test
    fun `a client that is slower under one of its names is found out`() {
        val slower =
            MadeAliases.trials { client, alias, noise -> (if (client == "ktor-cio" && alias == "A") 1_300 else 1_100) + 20 * noise }
        val table = frame(slower).aa("durationMs")
        table.rows().associate { "${it["treatment"]}".substringBefore(',') to it["includes 1"] } shouldBe
            mapOf("retrofit" to "yes", "ktor-cio" to "no")
        frame(slower).aaChart("durationMs").title shouldContain "ktor-cio differs from itself in durationMs"
    }

    @Test
    fun `the figure has a row a metric and says that nothing differs`() {
        val chart = frame(MadeAliases.trials()).aaChart("durationMs", "threadsBlocked")
        chart.title shouldBe "Nothing differs from itself: every interval includes 1"
        chart.alt shouldContain "retrofit, threadsBlocked: 1 [1, 1]"
        chart.caption shouldContain "n = 20 forks a name"
        chart.isEmpty shouldBe false
    }

    @Test
    fun `trials without a second name are refused with what to run`() {
        shouldThrow<LabException> { MadeTrials.frame(MadeTrials.trial("retrofit")).aa() }.message shouldBe
            "No treatment here has two names: run the experiment's aa(), as in experiment.aa().run()."
    }
}
