package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class SlowRoundTablesTest {
    private val published = published("latency-half-2026-11")
    private val run = published.runs().single()

    /** Three clients in ten rounds, of which the last two take half as long again. */
    private val made = MadeTrials.frame(
        *listOf("retrofit", "fuel", "jdk")
            .flatMapIndexed { place, client ->
                List(10) { round ->
                    val noise = 1 + 0.01 * ((round * 7 + place * 3) % 10)
                    trial(client, round = round, metrics = mapOf("durationMs" to (2000 + place) * noise * if (round > 7) 1.5 else 1.0))
                }
            }.toTypedArray(),
    )

    @Test
    fun `in the published run latency-half the slow rounds are 9 to 11, counted from 0, by latency and by processor time`() {
        listOf(emptyArray(), arrayOf("latencyP50Ms"), arrayOf("requestCpuMs")).forEach { metrics ->
            val table = published.slowRounds(*metrics)
            table.rowsCount() shouldBe 12
            table.rows().filter { (it["slow"] as String).isNotEmpty() }.map { it["round"] } shouldBe listOf(9, 10, 11)
        }
        val asked = published.slowRounds().rows().first()
        asked["spinPercent"] shouldBe null
        published.provenance().rows().first { it["what"] == "slow rounds" }["value"] shouldBe "rounds 9 to 11"
        published.provenance().rows().first { it["what"] == "reference spin" }["value"] shouldBe "not read"
    }

    @Test
    fun `trials of slow rounds are left out by rule, and captions say which`() {
        val rest = published.withoutSlowRounds()
        rest["round"].toSet() shouldBe (0..8).toSet()
        rest.leftOut() shouldBe "; left out: async-http-client, 1 of 9 trials invalid; rounds 9 to 11 of $run, slow"
        rest.origin() shouldContain "; left out: rounds 9 to 11 of $run, slow"
        rest.summary().columnNames() shouldContain ORIGIN
        published.byTreatment().leftOut() shouldBe "; left out: async-http-client, 1 of 12 trials invalid"
    }

    @Test
    fun `notes name slow rounds, and say nothing where none is`() {
        val because = made.notes()["because"].let { column -> List(column.size()) { "${column[it]}" } }
        because.single { "slow" in it } shouldStartWith
            "rounds 8 to 9 of ${MadeTrials.RUN} were slow: durationMs of the median treatment was 1.5"
        val calm = MadeTrials.frame(
            *List(10) { trial("fuel", round = it, metrics = mapOf("durationMs" to 2000.0 + (it * 7) % 10)) }.toTypedArray(),
        )
        calm.slowRoundWarnings().shouldBeEmpty()
        calm.withoutSlowRounds() shouldBe calm
        calm.withoutSlowRounds().byTreatment().leftOut() shouldBe ""
    }

    @Test
    fun `an unknown metric is refused`() {
        shouldThrow<LabException> { made.slowRounds("durationS") }.message shouldStartWith "These trials have no metric 'durationS'"
    }

    @Test
    fun `rounds are named in words`() {
        named(listOf(3)) shouldBe "round 3"
        named(listOf(9, 10, 11)) shouldBe "rounds 9 to 11"
        named(listOf(11, 2, 5, 6, 10, 9)) shouldBe "rounds 2, 5 to 6, 9 to 11"
    }

    private fun Trials<*>.leftOut() = byTreatment().leftOut()
}
