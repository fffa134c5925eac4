package clientlab.articles.audit

import clientlab.*
import clientlab.audit.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Test

/** Audits made by hand: what was held, and what is said of it. */
class AuditTablesTest {
    private fun trial(
        client: String,
        hosts: Int,
        held: Int,
        connections: Int = held,
        threads: List<ThreadCount> = emptyList(),
        refused: Int = 0,
        errors: Map<String, Int> = emptyMap(),
        late: Map<String, Double> = emptyMap(),
    ) = Trial(
        experiment = "made",
        round = 0,
        treatment = Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to 2_000, Factor.HOSTS to hosts),
        warmup = false,
        outcome = if (held < 2_000) Outcome.Wave else Outcome.Complete,
        metrics =
            mapOf(
                "heldInFlight" to held.toDouble(),
                "heldConnections" to connections.toDouble(),
                "waiting" to (2_000.0 - held - refused),
                "refused" to refused.toDouble(),
            ) + late,
        errors = errors,
        threads = threads,
        curves = mapOf("held" to listOf(listOf(10.0, minOf(10, held).toDouble()), listOf(2_000.0, held.toDouble()))),
    )

    private fun finding(vararg trials: Trial) = of<Audit>(*trials).limitsFound().single().finding

    @Test
    fun `a limit of each host is told from the one of all together, and a pool that holds as many threads owns it`() {
        val pool = listOf(ThreadCount("OkHttp dispatcher", ThreadState.BlockedInRead, 5), ThreadCount("OkHttp", ThreadState.Waiting, 1))
        finding(trial("okhttp@default", 1, 5, threads = pool), trial("okhttp@default", 20, 64)) shouldBe
            "Holds 5 to one host and 64 in all in flight, then queues; owner of the limit: OkHttp dispatcher."
    }

    @Test
    fun `as many to each of many hosts is no limit of all together`() {
        val full = mapOf("RejectedExecutionException" to 912)
        finding(trial("jetty@default", 1, 64, refused = 912, errors = full), trial("jetty@default", 20, 1_280)) shouldBe
            "Holds 64 to each host in flight, then queues 1,024 and fails the rest (RejectedExecutionException); owner of the limit: connections."
        finding(trial("spring-webclient@default", 1, 500), trial("spring-webclient@default", 20, 2_000)) shouldContain "500 to each host"
    }

    @Test
    fun `as many workers of coroutines as requests are Dispatchers IO`() {
        val workers =
            listOf(
                ThreadCount("coroutine workers", ThreadState.BlockedInRead, 64),
                ThreadCount("coroutine workers", ThreadState.ParkedIdle, 3),
            )
        finding(trial("fuel@default", 1, 64, threads = workers), trial("fuel@default", 20, 64, threads = workers)) shouldBe
            "Holds 64 in flight, then queues; owner of the limit: Dispatchers.IO."
    }

    @Test
    fun `where no threads are held it is the connections, or the streams on few of them`() {
        finding(trial("ktor-cio@default", 1, 100), trial("ktor-cio@default", 20, 1_000)) shouldContain
            "100 to one host and 1,000 in all in flight, then queues; owner of the limit: connections."
        finding(trial("jdk", 1, 100, connections = 1)) shouldContain "owner of the limit: streams of 1 connection."
    }

    @Test
    fun `what is refused at once is told by its exception, and how many may wait before`() {
        val full = trial("mine", 1, 500, refused = 500, errors = mapOf("PoolAcquirePendingLimitException" to 500))
        finding(full) shouldContain "then queues 1,000 and fails the rest (PoolAcquirePendingLimitException)"
        val none = trial("mine", 1, 500, refused = 1_500, errors = mapOf("IOException" to 1_500))
        finding(none) shouldContain "500 (one host tried) in flight, then fails (IOException)"
    }

    @Test
    fun `a client without a limit is said to hold all, and time-outs are told where they were waited for`() {
        val late = mapOf("patienceMs" to 20_000.0, "answerTimeoutMs" to 10_004.0)
        finding(trial("mine", 1, 2_000, late = late)) shouldBe "Holds all 2,000 in flight. Waits 10.0 s for an answer."
        finding(trial("mine", 1, 2_000, late = mapOf("patienceMs" to 20_000.0))) shouldBe
            "Holds all 2,000 in flight. Gives nothing up within 20 s."
    }

    @Test
    fun `the table says not asked where nobody waited`() {
        val table = of<Audit>(trial("okhttp@default", 1, 5)).limits()
        table["answerTimeoutS"].toList() shouldContainExactly listOf("not asked")
        table["inAll"].toList() shouldContainExactly listOf("not asked")
        table["toOneHost"].toList() shouldContainExactly listOf("5")
    }

    @Test
    fun `the chart names every limit to one host in its title, and has a panel for one host and one for many`() {
        val chart = of<Audit>(
            trial("okhttp@default", 1, 5),
            trial("okhttp@default", 20, 64),
            trial("ktor-cio@default", 1, 100),
        ).limitChart()
        chart.title shouldBe "To one host: limits of 5, 100 in flight"
        chart.facets?.order shouldBe listOf("one host", "20 hosts")
    }
}
