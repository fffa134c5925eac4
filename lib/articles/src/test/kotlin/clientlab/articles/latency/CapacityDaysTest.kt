package clientlab.articles.latency

import clientlab.*
import clientlab.capacity.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** Two days of the same search, by hand and published. */
class CapacityDaysTest {
    private fun day(vararg capacities: Pair<String, Double>, forks: Int = 8) =
        of<Capacity>(
            *capacities
                .flatMap { (client, perSecond) ->
                    List(forks) { round ->
                        Trial(
                            experiment = "capacity",
                            round = round,
                            treatment = Treatment(Factor.CLIENT to client, Factor.DELAY_MS to 5, Factor.P99_MS to 20),
                            warmup = false,
                            outcome = Outcome.Complete,
                            metrics = mapOf("capacityPerSecond" to perSecond + round),
                        )
                    }
                }.toTypedArray(),
        )

    private val first = day("jdk" to 4_000.0, "fuel" to 1_000.0, "okhttp" to 500.0)
    private val later = day("jdk" to 2_000.0, "fuel" to 1_003.0)

    @Test
    fun `clients of both days have a row with their ratio and whether the days overlap`() {
        val rows = first.besides(later).rows().toList()
        rows.map { it["client"] } shouldContainExactly listOf("jdk", "fuel")
        rows.map { it["overlap"] } shouldContainExactly listOf("no", "yes")
        rows.first()["laterByFirst"].toString() shouldContain "0.50"
        rows.map { it["n"] } shouldContainExactly listOf(8, 8)
    }

    @Test
    fun `the answer counts the overlaps, and says so if no client is in both`() {
        first.besidesAnswer(later) shouldBe "On the later day the clients carried 0.50 to 1.00 times as much as on the earlier one. " +
            "The intervals of both days overlap for 1 of the 2 clients that had 5 steady forks or more on each."
        day("okhttp" to 500.0).besidesAnswer(later) shouldBe "No client was searched on both days."
    }

    @Test
    fun `a client with too few forks on one day has a ratio, and no overlap`() {
        val few = day("jdk" to 4_000.0, forks = 4)
        first.besides(few).rows().single()["overlap"] shouldBe "too few forks"
        first.besidesAnswer(few) shouldContain "overlap for 0 of the 0 clients"
    }

    @Test
    fun `of the published runs the answer compares the machines too`() {
        val (one, two) = published<Capacity>("capacity-2026-11") to published<Capacity>("capacity-2026-11b")
        two.provenance().rows().first { it["what"] == "reference spin" }["value"].toString() shouldEndWith " ms"
        one.besidesAnswer(two) shouldContain "The reference spin, the same work on both days, took 1.27 times as long."
    }

    @Test
    fun `where the machine was as fast as before, the intervals of every client with enough steady forks overlap`() {
        val (two, three) = published<Capacity>("capacity-2026-11b") to published<Capacity>("capacity-2026-11c")
        two.besidesAnswer(three).substringAfter(". ") shouldBe
            "The intervals of both days overlap for 4 of the 4 clients that had 5 steady forks or " +
            "more on each. The reference spin, the same work on both days, took 0.99 times as long."
    }
}
