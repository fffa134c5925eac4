package clientlab.articles.limits

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.frame
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class LimitsChartsTest {
    /** Ten requests of 1 s, [atOnce] at a time; a client that tells says when they left its queue. */
    private fun trial(client: String, atOnce: Int, tells: Boolean = true): Trial {
        val left = List(10) { 1000.0 * (it / atOnce) + 1 }
        return Trial(
            experiment = "made",
            round = 0,
            treatment = Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to 10, Factor.DELAY_MS to 1000),
            warmup = false,
            outcome = if (atOnce < 10) Outcome.Wave else Outcome.Complete,
            metrics = mapOf("durationMs" to left.last() + 1010, "inFlightPeak" to atOnce.toDouble(), "batches" to 10.0 / atOnce),
            timeline = Timeline(
                number = List(10) { it },
                askedMs = List(10) { 0.0 },
                leftQueueMs = left.map { it.takeIf { tells } },
                connectedMs = left.map { (it + 2).takeIf { tells } },
                arrivedMs = left.map { it + 3 },
                answeredMs = left.map { it + 1003 },
                readMs = left.map { it + 1005 },
                connection = List(10) { it % atOnce },
            ),
        )
    }

    private val trials = frame(trial("okhttp@default", 5), trial("okhttp@requests", 10), trial("ktor-cio@default", 10, tells = false))

    @Test
    fun `a waterfall says in its title how many batches there were`() {
        trials.waterfallChart("okhttp@default", "okhttp@requests").title shouldBe
            "okhttp@default sends 10 requests in 2 batches of 5 and takes 2.01 s; okhttp@requests sends 10 requests at once and takes 1.01 s"
    }

    @Test
    fun `its spans are the steps of each request, one behind the other, the first to arrive at the top`() {
        val data = trials.waterfallChart("okhttp@default").marks.single().data
        val last = (0 until data.size).filter { data["place"][it] == 0 }
        last.map { data["phase"][it] } shouldContainExactly
            listOf("in the client's queue", "connecting", "on the way", "at the server", "reading")
        last.zipWithNext().forEach { (a, b) -> data["toS"][a] shouldBe data["fromS"][b] }
        data["fromS"][last.first()] shouldBe 0.0
        data["toS"][last.first()] shouldBe 1.001
    }

    @Test
    fun `a client without events has one step until its request arrives`() {
        val phases = trials.waterfallChart("ktor-cio@default").marks.single().data["phase"].distinct()
        phases shouldContainExactly listOf("in the client", "at the server", "reading")
    }

    @Test
    fun `each phase has its colour, and each client its panel`() {
        val chart = trials.waterfallChart("okhttp@default", "okhttp@requests")
        chart.colors shouldBe Style.PHASES
        chart.facets!!.order shouldContainExactly listOf("okhttp@default", "okhttp@requests")
        val layer = chart.drawing().layers.single { it.geometry == Drawing.Geometry.RECTANGLE }
        layer.mapping[Drawing.Channel.FILL] shouldBe "series"
        layer.data.getValue("xMin").map { it as Double }.min() shouldBe 0.0
    }

    @Test
    fun `it is drawn`() {
        LetsPlotRenderer().render(trials.waterfallChart("okhttp@default")).svg shouldContain "at the server"
    }

    @Test
    fun `a client whose times nobody kept is refused with what to do`() {
        shouldThrow<LabException> { trials.timeline("fuel") }.message shouldBe
            "No trial here has the times of single requests of fuel: run a Burst with timeline = true."
    }

    @Test
    fun `levels of a factor are compared client by client`() {
        val made = listOf("io" to 1100.0, "one-thread" to 1210.0).map { (level, ms) ->
            val treatment = Treatment(
                Factor.CLIENT to "ktor-cio@default",
                Factor.DISPATCHER to level,
                Factor.IN_FLIGHT to 100,
                Factor.DELAY_MS to 1000,
            )
            Trial("made", 0, treatment, warmup = false, outcome = Outcome.Complete, metrics = mapOf("durationMs" to ms))
        }
        val chart = frame(*made.toTypedArray()).levelsChart(Factor.DISPATCHER)
        chart.title shouldBe "Between levels of dispatcher, time differs by 10.00 % for ktor-cio@default"
        (chart.y as CategoryAxis).order shouldContainExactly listOf("io", "one-thread")
        chart.marks.map { it::class } shouldNotContain Spans::class
    }
}
