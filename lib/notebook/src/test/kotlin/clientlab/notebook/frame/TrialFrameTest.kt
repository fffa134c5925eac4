package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.made.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toList
import org.junit.jupiter.api.Test
import kotlin.reflect.typeOf

class TrialFrameTest {
    private val rich =
        trial("ktor-cio", inFlight = 500, round = 1, metrics = mapOf("durationMs" to 2100.5, "threadsNew" to 20.0)).copy(
            reasons = listOf("One.", "Two."),
            warnings = listOf("Three."),
            threads = listOf(ThreadCount("ktor", ThreadState.InSelector, 1), ThreadCount("other", ThreadState.Running, 2)),
            evidence = Evidence(inFlightCurve = listOf(listOf(0.0, 1.0), listOf(4.5, 500.0))),
            curves = mapOf("live" to listOf(listOf(0.0, 30.0))),
        )
    private val poor = trial("retrofit", round = 0, outcome = Outcome.Invalid, left = listOf("a", "b", "a"), metrics = emptyMap())
    private val frame = MadeTrials.frame(rich, poor)

    @Test
    fun `columns come in one order - where from, what was asked, how it ended, what was measured, what was left, the tables`() {
        frame.columnNames() shouldContainExactly
            listOf(
                "run",
                "experiment",
                "round",
                "client",
                "protocol",
                "inFlight",
                "delayMs",
                "start",
                "outcome",
                "reasons",
                "warnings",
                "durationMs",
                "threadsNew",
                "threadsLeft",
                "threadsLeftNames",
                "protocolsSeen",
                "threads",
                "serverCurve",
                "liveCurve",
            )
    }

    @Test
    fun `whole levels are whole numbers, words are words, metrics are numbers that may be missing`() {
        fun type(column: String) = withClue(column) { frame[column].type() }
        type("run") shouldBe typeOf<String>()
        type("round") shouldBe typeOf<Int>()
        type("client") shouldBe typeOf<String>()
        type("inFlight") shouldBe typeOf<Int>()
        type("delayMs") shouldBe typeOf<Int>()
        type("outcome") shouldBe typeOf<String>()
        type("durationMs") shouldBe typeOf<Double?>()
    }

    @Test
    fun `rows stand in the order of the trials`() {
        frame.rows().map { it.client } shouldBe listOf("ktor-cio", "retrofit")
        frame.rows().map { it.round } shouldBe listOf(1, 0)
    }

    @Test
    fun `a metric that a trial does not have is null, and one that no trial has is null too`() {
        frame.rows().map { it.durationMs } shouldBe listOf(2100.5, null)
        frame.rows().map { it.threadsNew } shouldBe listOf(20.0, null)
        frame.rows().map { it.threadsBlocked } shouldBe listOf(null, null)
        frame.rows().map { it.metric("nobodysMs") } shouldBe listOf(null, null)
    }

    @Test
    fun `connections per request come from the evidence where a trial is older than the metric, and from the trial where it has them`() {
        val evidence = Evidence(answered = 10, connectionsOpened = 5)
        val older = trial("retrofit", metrics = mapOf("connectionsOpened" to 5.0)).copy(evidence = evidence)
        val newer = older.copy(round = 1, metrics = older.metrics + ("connectionsPerRequest" to 0.25))
        val untold = trial("retrofit", round = 2, metrics = mapOf("durationMs" to 1.0)).copy(evidence = evidence)
        MadeTrials.frame(older, newer, untold)["connectionsPerRequest"].toList() shouldContainExactly listOf(0.5, 0.25, null)
    }

    @Test
    fun `reasons and warnings are one text each`() {
        frame.rows().map { it["reasons"] } shouldBe listOf("One. Two.", "")
        frame.rows().map { it["warnings"] } shouldBe listOf("Three.", "")
        frame.rows().map { it.outcome } shouldBe listOf("complete", "invalid")
    }

    @Test
    fun `what was left is counted in full and named once`() {
        frame.rows().map { it["threadsLeft"] } shouldBe listOf(0, 3)
        frame.rows().map { it["threadsLeftNames"] } shouldBe listOf("", "a, b")
    }

    @Test
    fun `threads and curves are tables within a row, empty ones too`() {
        val first = frame.rows().first()
        val threads = first["threads"] as AnyFrame
        threads.columnNames() shouldBe listOf("owner", "doing", "count")
        threads.rows().map { listOf(it["owner"], it["doing"], it["count"]) } shouldBe
            listOf(listOf("ktor", "waiting in a selector", 1), listOf("other", "running", 2))
        (first["serverCurve"] as AnyFrame).let { it["atMs"].toList() to it["inFlight"].toList() } shouldBe
            (listOf(0.0, 4.5) to listOf(1, 500))
        (first["liveCurve"] as AnyFrame)["live"].toList() shouldBe listOf(30)
        (frame.rows().last()["threads"] as AnyFrame).rowsCount() shouldBe 0
    }

    @Test
    fun `typed columns filter`() {
        frame.filter { client == "ktor-cio" && inFlight == 500 }.rowsCount() shouldBe 1
        frame.filter { client == "ktor-cio" && inFlight == 100 }.rowsCount() shouldBe 0
        frame.filter { (durationMs ?: 0.0) > 2000.0 && round == 1 && run == MadeTrials.RUN && outcome == "complete" }.rowsCount() shouldBe 1
        frame.client.toList() shouldBe listOf("ktor-cio", "retrofit")
        frame.inFlight.toList() shouldBe listOf(500, 100)
        frame.durationMs.toList() shouldBe listOf(2100.5, null)
    }

    @Test
    fun `a run without a trial is a frame without a row, and can be summed up`() {
        val none = emptyList<Trial>().toTrials(MadeTrials.RUN)
        none.rowsCount() shouldBe 0
        none.byTreatment() shouldBe emptyList()
        none.summary().rowsCount() shouldBe 0
        none.notes().rowsCount() shouldBe 0
        none.runs() shouldBe emptyList()
    }
}
