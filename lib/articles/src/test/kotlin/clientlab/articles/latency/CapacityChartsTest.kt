package clientlab.articles.latency

import clientlab.*
import clientlab.capacity.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

/** Experiments, tables and figures of capacities, against trials made by hand. */
class CapacityChartsTest {
    private fun fork(client: String, round: Int, metrics: Map<String, Double>, protocol: String? = null): Trial =
        Trial(
            experiment = "capacity",
            round = round,
            treatment = Treatment(
                *listOfNotNull(Factor.CLIENT to client, protocol?.let { Factor.PROTOCOL to it }, Factor.DELAY_MS to 5, Factor.P99_MS to 20)
                    .toTypedArray(),
            ),
            warmup = false,
            outcome = Outcome.Complete,
            metrics = metrics + mapOf("probes" to 3.0, "latencyP99Ms" to 12.0, "requestCpuMs" to 0.4) +
                mapOf("halfLatencyP99Ms" to 6.0 + client.length, "nineTenthsLatencyP99Ms" to 9.0 + client.length),
            curves = mapOf(
                "probes" to listOf(listOf(500.0, 8.0, 1.0, 1.0), listOf(1_000.0, 3_000.0, 0.5, 0.0), listOf(700.0, 25.0, 1.0, -1.0)),
            ),
        )

    private fun forks(client: String, perSecond: Double) =
        List(5) { fork(client, it, mapOf("capacityPerSecond" to perSecond + it, "beyondPerSecond" to perSecond * 1.04)) }

    private val fast = forks("jdk", 4_000.0)
    private val slow = forks("ktor-cio", 1_000.0)
    private val two = of<Capacity>(*(slow + fast).toTypedArray())

    @Test
    fun `the table has a row per client, the largest capacity first`() {
        val rows = two.capacities().rows().toList()
        rows.map { it["client"] } shouldContainExactly listOf("jdk", "ktor-cio")
        rows.first()["capacity"] shouldBe "4,002 [4,000, 4,004]"
        rows.first()["beyond"] shouldBe "4,160 [4,160, 4,160]"
        rows.first()["n"] shouldBe 5
        rows.first()["unit"] shouldBe "requests a second"
    }

    @Test
    fun `the figure has a row per client, a dot per fork, and a title in words`() {
        val chart = two.capacityChart()
        chart.title shouldBe "jdk carries 4.0 times as many requests a second as ktor-cio"
        (chart.y as CategoryAxis).order shouldContainExactly listOf("jdk", "ktor-cio")
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 10
        chart.subtitle shouldContain "within 20 ms"
        chart.caption shouldStartWith "n = 5 forks a point"
    }

    @Test
    fun `one fork that ended before its client's limit makes the median a lower bound`() {
        val bound = fork("jdk", 4, mapOf("atLeastPerSecond" to 5_000.0))
        val trials = of<Capacity>(*(fast.take(4) + bound).toTypedArray())
        trials.capacities().rows().single()["capacity"].toString() shouldStartWith "at least "
        trials.capacityChart().title shouldStartWith "jdk carries at least "
    }

    @Test
    fun `a client that does not meet the criterion at all is a row, and no ratio is made of it`() {
        val none = List(5) { fork("ktor-cio", it, mapOf("capacityPerSecond" to 0.0, "beyondPerSecond" to 10.0)) }
        val title = of<Capacity>(*(none + fast).toTypedArray()).capacityChart().title
        title shouldBe "jdk carries the most requests a second, and ktor-cio does not meet the criterion at all"
    }

    @Test
    fun `requests in flight have a unit of their own`() {
        val held = List(5) { fork("jdk", it, mapOf("capacityInFlight" to 600.0, "beyondInFlight" to 620.0)) }
        of<Capacity>(*held.toTypedArray()).capacityChart().title shouldBe "jdk carries 600 requests in flight"
    }

    @Test
    fun `probes of all forks are points beside the criterion, and say how they ended`() {
        val chart = two.probesChart("jdk")
        val points = chart.marks.filterIsInstance<Points>().single().data
        points.size shouldBe 15
        points["result"].toSet() shouldBe setOf("passed", "failed", "undecided")
        chart.marks.filterIsInstance<ReferenceLines>().single().data["at"] shouldContainExactly listOf(20L)
        chart.title shouldBe "jdk meets the criterion up to 4,002 requests a second"
        two.probesChart("nobody").isEmpty shouldBe true
        val spoken = of<Capacity>(fork("jdk", 0, emptyMap(), "h2c"), fork("jdk", 0, emptyMap(), "http/1.1"))
        shouldThrow<LabException> { spoken.probesChart("jdk") }.message.orEmpty() shouldContain "filter the trials by protocol or start"
    }

    @Test
    fun `without a client's name each client has a panel of probes, the largest capacity first`() {
        val chart = two.probesChart()
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("jdk", "ktor-cio")
        chart.marks.filterIsInstance<Points>().single().data.size shouldBe 30
        chart.title shouldBe "The criterion of 20 ms is met up to 1,002 (ktor-cio) to 4,002 (jdk)"
    }

    @Test
    fun `latencies below the capacity have a panel for each share, and the title has the slowest medians`() {
        val chart = two.belowCapacityChart()
        chart.title shouldBe "99 % within 14 ms at half of a capacity, 17 ms at nine tenths"
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("half of the capacity", "nine tenths of the capacity")
        (chart.y as CategoryAxis).order shouldContainExactly listOf("jdk", "ktor-cio")
        chart.marks.filterIsInstance<Points>().first().data.size shouldBe 20
        of<Capacity>().belowCapacityChart().title shouldBe "No fork here was measured below its capacity"
    }

    @Test
    fun `the answer names the largest, the smallest and the slowest with their intervals`() {
        two.capacityAnswer() shouldBe "jdk carries 4,002 [4,000, 4,004] requests a second, and ktor-cio 1,002 [1,000, 1,004]. " +
            "At half of the capacity the slowest, ktor-cio, answers 99 % within 14 [14, 14] ms. " +
            "At nine tenths of the capacity the slowest, ktor-cio, answers 99 % within 17 [17, 17] ms."
        of<Capacity>().capacityAnswer() shouldBe "No search here has ended."
    }

    @Test
    fun `without trials a figure says so`() {
        of<Capacity>().capacityChart().title shouldBe "No search here has ended"
        of<Capacity>().capacities().rows().toList() shouldHaveSize 0
    }

    @Test
    fun `an experiment names its criterion, and a search within memory is one of limits`() {
        val clients = listOf(ClientInfo("jdk", "JDK", "a:b", "none"))
        capacity(clients, p99 = 50.milliseconds).let {
            it.forks shouldBe 5
            it.treatments.single()[Factor.P99_MS] shouldBe "50"
        }
        capacityInFlight(clients).workload.by shouldBe SearchFor.InFlight
        capacityInFlight(clients, memoryMiB = 256).workload.memoryMiB shouldBe listOf(256)
    }
}
