package clientlab.articles.cost

import clientlab.*
import clientlab.closedloop.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Every claim about the cost of steady forks, and their figure, against trials made by hand. */
class SteadyCostClaimsTest : HeldToTrials(steadyCostClaims + knownCostClaims) {
    private fun forks(client: String, start: String, cpu: Double, compilers: Double, forks: Int = 8): List<Trial> =
        List(forks) { round ->
            Trial(
                experiment = "made",
                round = round,
                treatment = Treatment(
                    Factor.CLIENT to client,
                    Factor.IN_FLIGHT to 64,
                    Factor.TASKS to 10_000,
                    Factor.DELAY_MS to 0,
                    Factor.START to start,
                ),
                warmup = false,
                outcome = Outcome.Complete,
                metrics = mapOf("requests" to 10_000.0, "requestCpuMs" to cpu, "clientCpuSeconds" to cpu * 10) +
                    mapOf("compilersCpuSeconds" to compilers, "collectorCpuSeconds" to 0.1, "steady" to 1.0),
            )
        }

    private fun client(id: String, young: Double, steady: Double, compilers: Double = young * 8) =
        forks(id, "warm", young, compilers) + forks(id, "steady", steady, 0.01)

    /** The client `plain` with a capacity of 10,000, and `spun` with [capacity]. */
    private fun spins(plain: Double, spun: Double, capacity: Double = 5_000.0) =
        listOf(Triple("plain", plain, 10_000.0), Triple("spun", spun, capacity)).flatMap { (id, cpu, found) ->
            forks(id, "steady", cpu, 0.01).map { it.copy(metrics = it.metrics + ("capacityPerSecond" to found)) }
        }

    private val good = client("jdk", 0.3, 0.1) + client("ktor-cio", 0.6, 0.2)

    override val cases: Map<String, Case> =
        mapOf(
            "cost.steady" to Case(good, client("jdk", 0.6, 0.3) + client("ktor-cio", 0.6, 0.2)),
            "cost.young" to Case(good, client("jdk", 0.3, 0.1) + client("ktor-cio", 0.22, 0.2)),
            "cost.spin" to Case(spins(0.3, 0.4), spins(0.3, 0.45)),
            "cost.spin-capacity" to Case(spins(0.089, 0.189, capacity = 5_000.0), spins(0.089, 0.189, capacity = 8_000.0)),
            "cost.known" to Case(spins(0.15, 0.25), spins(0.15, 0.35)),
            "cost.known-capacity" to Case(spins(0.089, 0.189, capacity = 5_000.0), spins(0.089, 0.189, capacity = 8_000.0)),
            "cost.compilers" to Case(good, client("jdk", 0.3, 0.1) + client("ktor-cio", 0.6, 0.2, compilers = 0.6)),
        )

    @Test
    fun `the split has a panel for each kind of thread, and the cheapest client on top`() {
        val chart = of<ClosedLoop>(*(client("ktor-cio", 0.6, 0.2) + client("jdk", 0.3, 0.1)).toTypedArray()).costSplitChart()
        chart.facets.shouldNotBeNull().order shouldContainExactly listOf("client", "compilers", "collector")
        (chart.y as CategoryAxis).order shouldContainExactly
            listOf("jdk, steady", "jdk, warm", "ktor-cio, steady", "ktor-cio, warm")
        chart.title shouldBe "A request of a steady jdk costs least: 100 µs of a processor in the client's threads"
    }
}
