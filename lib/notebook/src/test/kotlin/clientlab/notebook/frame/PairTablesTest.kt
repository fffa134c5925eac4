package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.MadeTrials.forks
import clientlab.notebook.made.MadeTrials.frame
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

class PairTablesTest {
    private fun AnyFrame.column(name: String) = rows().map { "${it[name]}" }

    private fun timed(client: String, ms: Double, vararg levels: Int) =
        forks(client, *levels, forks = 8) { _, round -> mapOf("durationMs" to ms + round) }

    private val trials =
        frame(*(timed("retrofit", 2_000.0, 100, 500) + timed("ktor-cio", 1_000.0, 100, 500) + timed("fuel", 1_000.5, 100)).toTypedArray())

    @Test
    fun `every two clients are compared at each level that both have`() {
        val table = trials.pairs("durationMs")
        table.column("pair").zip(table.column("at").map { it.substringAfter(", ").substringBefore(" in flight") }) shouldContainExactly
            listOf("retrofit : ktor-cio" to "100", "retrofit : fuel" to "100", "ktor-cio : fuel" to "100", "retrofit : ktor-cio" to "500")
        table.column("n").distinct() shouldContainExactly listOf("8")
    }

    @Test
    fun `a pair has its ratio, its difference, Cliff's delta and a p-value for as many pairs as there are`() {
        val (far, _, near) = trials.pairs("durationMs").rows().toList()
        far["ratio"].toString() shouldStartWith "2.00 [1.99, 2"
        far["difference"].toString() shouldStartWith "1,000 ["
        far["cliffsDelta"].toString() shouldStartWith "1 ["
        // One order of 12,870, either way, and that for four pairs.
        far["pByHolm"] shouldBe "0.000622"
        near["pByHolm"].toString().toDouble() shouldBeGreaterThan 0.5
        near["cliffsDelta"].toString() shouldContain "[-0."
    }

    @Test
    fun `another factor than the client can be compared`() {
        trials.pairs("durationMs", Factor.IN_FLIGHT).column("pair") shouldContainExactly listOf("100 : 500", "100 : 500")
    }

    @Test
    fun `what single requests took is told by percentiles of each fork`() {
        fun burst(round: Int, slowest: Double) =
            trial("retrofit", 100, round).copy(
                timeline =
                    Timeline(
                        number = List(100) { it },
                        askedMs = List(100) { 0.0 },
                        leftQueueMs = List(100) { null },
                        connectedMs = List(100) { null },
                        arrivedMs = List(100) { 1.0 },
                        answeredMs = List(100) { 9.0 },
                        readMs = List(100) { request -> if (request == 0) slowest else 10.0 }.dropLast(1) + null,
                        connection = List(100) { it },
                    ),
            )
        val table = frame(burst(0, 50.0), burst(1, 60.0), burst(2, 700.0)).latencyPercentiles(50.0, 99.5)
        table.columnNames() shouldContainExactly listOf("treatment", "n", "p50Ms", "p99.5Ms", ORIGIN)
        table.column("p50Ms").single() shouldStartWith "10"
        table.column("p99.5Ms").single().substringBefore(" ").toDouble().let {
            it shouldBeGreaterThan 59.9
            it shouldBeLessThan 60.2
        }
        shouldThrow<LabException> { trials.latencyPercentiles() }.message shouldContain "run a Burst with timeline = true"
    }
}
