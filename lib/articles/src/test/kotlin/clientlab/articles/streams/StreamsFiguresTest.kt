package clientlab.articles.streams

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.MadeTrials.of
import clientlab.outage.*
import clientlab.streams.*
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** The figure and the table of streams, against trials made by hand. */
class StreamsFiguresTest {
    private fun forks(client: String, feed: Feed, bytes: Double, threads: Double, cpuMs: Double = 0.02): List<Trial> = List(8) { round ->
        Trial(
            experiment = "streams",
            round = round,
            treatment = Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to 1_000, Factor.FEED to feed.label),
            warmup = false,
            outcome = Outcome.Complete,
            metrics = mapOf(
                "heldInFlight" to 1_000.0,
                "threadsNew" to threads,
                "streamBytes" to bytes,
                "streamCpuMs" to cpuMs,
                "unreadBytes" to 0.0,
            ) + if (feed == Feed.EverySecond) mapOf("dueShare" to 1.0, "besideSlowShare" to 0.5, "cancelMs" to 12.0) else emptyMap(),
        )
    }

    private val all = listOf("retrofit" to 1_001.0, "jdk" to 4.0).flatMap { (client, threads) ->
        Feed.entries.take(2).flatMap { forks(client, it, bytes = threads * 10 + 20_000, threads) }
    }

    @Test
    fun `the figure says who needs the least and the most, and who holds a thread for each stream`() {
        val chart = of<Streams>(*all.toTypedArray()).streamChart()
        chart.title shouldBe "An open stream takes 20.0 kB (jdk) to 30.0 kB (retrofit); 1 of 2 clients hold a thread for each"
        chart.facets.shouldNotBeNull().order shouldBe listOf("kB, idle", "µs of a processor in a second, an event a second")
        chart.subtitle.orEmpty() shouldContain "1,000 streams"
        chartRenderer().render(chart).svg shouldStartWith "<svg"
        of<Streams>(*forks("jdk", Feed.Download, 5_000.0, 1.0).toTypedArray()).streamChart().title shouldBe
            "An open stream takes 5 kB with jdk"
        of<Streams>(*forks("jdk", Feed.Idle, 5_000.0, 1.0).toTypedArray()).streamChart().x shouldBe
            NumberAxis("for each stream: kB, idle", zero = true)
        of<Streams>().streamChart().title shouldBe "No trial here is valid, so there is nothing to show"
    }

    @Test
    fun `the table has a row for each client and feed`() {
        val rows = of<Streams>(*all.toTypedArray()).streamTable().rows().toList()
        rows.size shouldBe 4
        val fed = rows.single { it["client"] == "retrofit" && it["feed"] == "an event a second" }
        fed["threadsEach"].toString() shouldStartWith "1"
        fed["besideSlowShare"].toString() shouldStartWith "0.5"
        rows.first { it["feed"] == "idle" }["dueShare"] shouldBe "none"
    }

    @Test
    fun `the table of a silence has a row for each client, and no number for what did not come`() {
        fun forks(client: String, metrics: Map<String, Double>) = List(8) { round ->
            Trial("outage", round, Treatment(Factor.CLIENT to client), warmup = false, outcome = Outcome.Complete, metrics = metrics)
        }
        val back = mapOf("noticedShare" to 1.0, "noticedMs" to 1_900.0, "backShare" to 1.0, "backMs" to 800.0, "backMaxMs" to 1_000.0)
        val never = mapOf("noticedShare" to 0.0, "backShare" to 0.0, "deadStreams" to 50.0)
        val (okHttp, jdk) = of<Outage>(*(forks("okhttp", back) + forks("jdk", never)).toTypedArray()).outageTable().rows().toList()
        okHttp["noticedSeconds"].toString() shouldStartWith "1.9"
        okHttp["lastBackSeconds"].toString() shouldStartWith "1"
        jdk["back"].toString() shouldStartWith "0"
        jdk["backSeconds"] shouldBe "none"
    }
}
