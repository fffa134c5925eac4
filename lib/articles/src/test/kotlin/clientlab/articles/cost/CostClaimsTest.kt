package clientlab.articles.cost

import clientlab.*
import clientlab.closedloop.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.of
import clientlab.resourcelimits.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Test

/** Every claim about cost, and its tables and figures, against trials made by hand. */
class CostClaimsTest : HeldToTrials(costClaims) {
    private val blocking = listOf("retrofit", "okhttp", "ktor-okhttp", "urlconnection")
    private val async = listOf("ktor-cio", "ktor-java", "ktor-apache5", "jdk", "apache5-async")

    private fun held(client: String, threads: Int, held: Int, kind: String? = "OutOfMemoryError"): List<Trial> =
        List(6) { round ->
            Trial(
                experiment = "made",
                round = round,
                treatment =
                    Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to 5_000, Factor.MEMORY_MIB to 256, Factor.THREADS to threads),
                warmup = false,
                outcome = Outcome.Complete,
                metrics = mapOf("heldInFlight" to held.toDouble(), "heldBytes" to 20_000.0, "osThreads" to 100.0),
                errors = listOfNotNull(kind?.let { it to 1 }).toMap(),
                curves = mapOf("held" to listOf(listOf(50.0, 50.0), listOf(5_000.0, held.toDouble()))),
            )
        }

    private fun fast(client: String, cpu: Double): List<Trial> =
        List(6) { round ->
            Trial(
                experiment = "made",
                round = round,
                treatment =
                    Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to 64, Factor.TASKS to 10_000, Factor.DELAY_MS to 0),
                warmup = false,
                outcome = Outcome.Complete,
                metrics =
                    mapOf("requestCpuMs" to cpu, "requestAllocatedBytes" to 20_000.0, "requestPageFaults" to 0.5, "rssBytes" to 120e6),
            )
        }

    override val cases: Map<String, Case> =
        mapOf(
            "cost.threads" to Case(blocking.flatMap { held(it, 512, 470) }, blocking.flatMap { held(it, 512, 3_000) }),
            "cost.waiting" to Case(async.flatMap { held(it, 512, 5_000, null) }, async.flatMap { held(it, 512, 470) }),
            "cost.memory" to Case(
                blocking.flatMap { held(it, 32_000, 1_400) } + held("jdk", 32_000, 5_000, null),
                blocking.flatMap { held(it, 32_000, 5_000) } + held("jdk", 32_000, 5_000, null),
            ),
        )

    @Test
    fun `the table says how each ended, and the figure who fails first`() {
        val trials = of<ResourceLimits>(*(held("retrofit", 512, 470) + held("jdk", 512, 5_000, null)).toTypedArray())
        trials.within()["ended"].toList().toSet() shouldBe setOf("OutOfMemoryError", "held all")
        trials.withinChart().title shouldBe "1 of 2 clients hold all 5,000 within every limit; retrofit fails first, with 470"
    }

    @Test
    fun `costs are of a thousand requests`() {
        val trials = of<ClosedLoop>(*fast("jdk", 0.1).toTypedArray())
        trials.costs()["cpuSecondsPer1000"].toList().single().toString() shouldStartWith "0.1"
        trials.costs()["allocatedMBPer1000"].toList().single().toString() shouldStartWith "20"
        trials.costs()["pageFaultsPer1000"].toList().single().toString() shouldStartWith "500"
    }
}
