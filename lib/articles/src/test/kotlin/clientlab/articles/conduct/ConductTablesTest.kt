package clientlab.articles.conduct

import clientlab.*
import clientlab.conduct.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.of
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** Trials of conduct made by hand, and what their tables say. */
class ConductTablesTest {
    private fun trial(client: String, round: Int, vararg observations: Observation, outcome: Outcome = Outcome.Complete) = Trial(
        experiment = "made",
        round = round,
        treatment = Treatment(Factor.CLIENT to client),
        warmup = false,
        outcome = outcome,
        metrics = mapOf("situations" to observations.size.toDouble()),
        observations = observations.toList(),
    )

    private val late = Observation("timeouts.no-answer", "fails late", ms = 1_400.0, concern = "It is late.")
    private val inTime = Observation("timeouts.no-answer", "fails in time", ms = 401.0)
    private val again = Observation("connections.after-200", "uses the connection again")
    private val other = Observation("connections.after-200", "opens another connection")

    private val trials = of<Conduct>(
        *Array(3) { trial("okhttp", it, inTime.copy(ms = 400.0 + it), again) },
        *Array(3) { trial("mine", it, late, if (it == 2) other else again) },
        trial("mine", 3, inTime, other, outcome = Outcome.Invalid),
    )

    @Test
    fun `what is a concern comes first, then what varies, and an invalid trial has no part in it`() {
        val rows = trials.facts().rows().toList()
        rows.map { "${it["client"]} ${it["situation"]}" } shouldContainExactly listOf(
            "mine timeouts.no-answer",
            "mine connections.after-200",
            "okhttp timeouts.no-answer",
            "okhttp connections.after-200",
        )
        rows.map { it["fact"] } shouldContainExactly listOf(
            "fails late",
            "varies: uses the connection again (2 of 3); opens another connection (1 of 3)",
            "fails in time",
            "uses the connection again",
        )
        rows.map { it["ms"] } shouldContainExactly listOf("1,400", "", "401", "")
        rows.map { it["n"] }.distinct() shouldContainExactly listOf(3)
        rows.map { it["concern"] } shouldContainExactly listOf("It is late.", "", "", "")
    }

    @Test
    fun `a matrix has a row for each situation and a column for each client`() {
        val matrix = trials.factsByClient()
        matrix.columnNames() shouldContainExactly listOf("situation", "okhttp", "mine", "origin")
        matrix.rows().first().let { listOf(it["situation"], it["okhttp"], it["mine"]) } shouldContainExactly
            listOf("timeouts.no-answer", "fails in time", "fails late !")
    }

    @Test
    fun `by fact the exceptions that clients throw make no difference`() {
        fun failing(
            client: String,
            round: Int,
            with: String,
        ) = trial(client, round, Observation("retries.refused", "fails ($with) in time"))
        val rows = of<Conduct>(
            failing("okhttp", 0, "ConnectException"),
            failing("mine", 0, "IOException"),
            failing("mine", 1, "MyException"),
        ).byFact("retries.refused")
            .rows()
            .toList()
        rows.map { "${it["fact"]}: ${it["clients"]}" } shouldContainExactly listOf("fails in time: okhttp, mine")
    }

    @Test
    fun `a story has a column for each that took part, from a fork that saw what most saw`() {
        fun saying(what: String) = listOf(Event(0.1, Event.Who.Caller, "asks GET /"), Event(0.4, Event.Who.Client, what))
        val told = of<Conduct>(
            trial("mine", 0, other.copy(events = saying("opens connection 2"))),
            trial("mine", 1, again.copy(events = saying("sends GET / on connection 1"))),
            trial("mine", 2, again.copy(events = saying("sends it later"))),
        )
        val rows = told.story("mine", "connections.after-200").rows().toList()
        rows.map { row -> listOf("ms", "caller", "client", "server").map { row[it] } } shouldContainExactly listOf(
            listOf(0.1, "asks GET /", "", ""),
            listOf(0.4, "", "sends GET / on connection 1", ""),
        )
        shouldThrow<LabException> { told.story("mine", "idle.unasked") }.message shouldBe
            "Nothing here was observed of 'mine' in 'idle.unasked': `conducted()` has what was."
        shouldThrow<LabException> { trials.story("okhttp", "timeouts.no-answer") }.message shouldContain "before events were kept"
    }

    @Test
    fun `every situation has a story`() {
        situations().rows().map { it["situation"] } shouldContainExactly Conduct.stories.keys.toList()
        Conduct.stories.values.filter { !it.endsWith(".") } shouldBe emptyList()
    }

    @Test
    fun `by fact there is a row for each thing that was done, with the clients that did it`() {
        val rows = trials.byFact("timeouts.no-answer").rows().toList()
        rows.map { "${it["fact"]}: ${it["clients"]}, ${it["number"]}, ${it["concern"]}" } shouldContainExactlyInAnyOrder
            listOf("fails in time: okhttp, 1, ", "fails late: mine, 1, It is late.")
    }

    @Test
    fun `an unknown situation is refused with those that there are`() {
        shouldThrow<LabException> { trials.byFact("timeouts.none") }.message shouldBe
            "Nothing here was observed in 'timeouts.none': give one of timeouts.no-answer, connections.after-200."
    }

    @Test
    fun `the figure of concerns counts clients by situation and says who they are`() {
        val chart = trials.concernChart()
        chart.title shouldBe "In 1 of 2 situations one client or more raises a concern"
        chart.marks.filterIsInstance<Bars>().single().data.columns shouldBe
            mapOf("situation" to listOf("timeouts.no-answer"), "clients" to listOf(1), "text" to listOf("1: mine"))
        chart.alt shouldContain "timeouts.no-answer: mine"
    }

    @Test
    fun `the figure of time-outs has the soonest client on top, and says who is late`() {
        val chart = trials.freeChart()
        chart.title shouldBe "1 of 2 clients free their caller within 600 ms; later: mine"
        (chart.y as CategoryAxis).order shouldContainExactly listOf("okhttp", "mine")
        chart.marks.filterIsInstance<Points>().first().data["value"] shouldContainExactly
            listOf(400.0, 401.0, 402.0, 1_400.0, 1_400.0, 1_400.0)
    }
}
