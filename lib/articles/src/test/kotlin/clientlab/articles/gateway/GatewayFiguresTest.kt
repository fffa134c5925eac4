package clientlab.articles.gateway

import clientlab.*
import clientlab.gatewayload.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.RUN
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** The figures of gateways: what they are made of, also where there is a single fork. */
class GatewayFiguresTest {
    private fun gateway(client: String, answered: Double, ended: Boolean, callers: Int? = null, forks: Int = 2): List<Trial> =
        List(forks) { round ->
            val levels: List<Pair<String, Any>> =
                listOf(
                    Factor.CLIENT to client,
                    Factor.RATE to 500,
                    Factor.SECONDS to 5,
                    Factor.DELAY_MS to 2000,
                    Factor.MEMORY_MIB to 256,
                )
            Trial(
                "gateway",
                round,
                Treatment(*(levels + listOfNotNull(callers?.let { Factor.IN_FLIGHT to it })).toTypedArray()),
                warmup = false,
                outcome = Outcome.Complete,
                warnings = if (ended) listOf("The gateway ended: its memory was beyond 256 MiB.") else emptyList(),
                metrics =
                    mapOf(
                        "answeredShare" to answered,
                        "survived" to if (answered == 1.0) 1.0 else 0.0,
                        "gatewayEnded" to if (ended) 1.0 else 0.0,
                        "osThreadsPeak" to 100.0,
                        "anonPeakBytes" to 2e8 + round,
                        "requestCpuMs" to 1.0,
                        "latencyP99Ms" to 6000.0,
                        "sentLatencyP99Ms" to 2100.0,
                    ),
                curves =
                    mapOf(
                        "memoryMiB" to listOf(listOf(0.0, 150.0), listOf(1000.0, 200.0)),
                        "latencyAtMs" to listOf(listOf(0.0, 2000.0), listOf(5000.0, 6000.0)),
                        "sentLatencyAtMs" to listOf(listOf(0.0, 2000.0), listOf(5000.0, 2100.0)),
                    ),
            )
        }

    private val trials: Trials<GatewayLoad> =
        (
            gateway("retrofit", 0.0, ended = true) + gateway("ktor-java", 1.0, ended = false) +
                gateway("retrofit@pool-200", 0.2, ended = false)
        ).toTrials(RUN).cast()

    @Test
    fun `the title names the gateways that fall`() {
        trials.gatewayChart().title shouldBe "Gateways of retrofit and retrofit@pool-200 do not answer all requests"
        trials.gatewayChart().caption shouldContain RUN
    }

    @Test
    fun `costs are those of the gateways that answer everything`() {
        val chart = trials.gatewayCostChart()
        (chart.y as CategoryAxis).order shouldContainExactly listOf("ktor-java")
        chart.title shouldContain "ktor-java"
    }

    @Test
    fun `young and steady gateways are beside each other`() {
        val young = gateway("ktor-java", 1.0, ended = false)
        val steady = young.map {
            it.copy(
                treatment = it.treatment.with(Factor.START, "steady"),
                metrics = it.metrics + ("requestCpuMs" to 0.5) + ("steady" to 1.0),
            )
        }
        val chart = (young + steady).toTrials(RUN).cast<TrialRow<GatewayLoad>>().gatewayCostChart()
        (chart.y as CategoryAxis).order shouldContainExactly listOf("ktor-java, warm", "ktor-java, steady")
        chart.title shouldBe "Of the gateways that answer all, steady ktor-java takes the least processor time"
    }

    @Test
    fun `memory is drawn against its limit`() {
        val chart = trials.gatewayMemoryChart()
        chart.title shouldBe "retrofit runs out of memory"
        chart.marks.filterIsInstance<ReferenceLines>().size shouldBe 1
        chart.marks.filterIsInstance<Lines>().single().data.size shouldBe 6
    }

    @Test
    fun `the two latencies of one load are two lines`() {
        val chart = gateway(
            "retrofit@pool-200",
            1.0,
            ended = false,
            callers = 200,
            forks = 1,
        ).toTrials(RUN).cast<TrialRow<GatewayLoad>>().omissionChart()
        chart.title shouldStartWith "99 % took at most 2.10 s from when they were sent, and 6 s from when they were planned"
        chart.marks.filterIsInstance<Lines>().single().data["series"].distinct().size shouldBe 2
    }

    @Test
    fun `each gateway's fate is a row`() {
        val rows = trials.fates().rows().associateBy { it["client"] }
        rows.getValue("retrofit")["howOthersFailed"] shouldBe "its memory was beyond 256 MiB"
        rows.getValue("ktor-java")["survived"] shouldBe "2 of 2"
        rows.getValue("retrofit@pool-200")["howOthersFailed"] shouldBe "answers came too late or were wrong"
    }
}
