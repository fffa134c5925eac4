package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test

/** The series of loads in tables, against series made by hand. */
class SeriesTablesTest {
    private fun frame(vararg of: List<Trial>): Trials<*> = of.toList().flatten().toTrials(MadeTrials.RUN)

    private fun AnyFrame.column(name: String) = rows().map { it[name] }

    @Test
    fun `a row is an interval of a trial, with its treatment before and what it measured behind`() {
        val table = frame(MadeSeries.forks("jdk", forks = 2) { MadeSeries(10.0) }).series()
        table.rowsCount() shouldBe 240
        table.columnNames() shouldContainExactly
            listOf("run", "round", "client", "rate", "arrivals", "loop", "seconds", "delayMs", "start", "outcome") +
            listOf("second", "warmUp", "answers", "p50Ms", "p99Ms", "requestCpuMs") +
            listOf("client", "harness", "compilers", "collector", "other").map { "${it}Processors" } +
            listOf("allocatedKb", "collections", "classesLoaded", "compiledMethods", "connectionsOpened", ORIGIN)
        val first = table.rows().first()
        listOf("second", "answers", "p99Ms", "requestCpuMs", "compilersProcessors", "clientProcessors").map { first[it] } shouldBe
            listOf(0.5, 250, 400.0, 2.0, 0.8, 1.0)
        table.rows().last()["second"] shouldBe 60.0
        table.column("warmUp").distinct() shouldBe listOf(false)
    }

    @Test
    fun `the intervals of a warm-up are marked, and a value that was not taken is null`() {
        val warm = MadeSeries(10.0, seconds = 5).series()
        val whole = Series(seconds = listOf(0.5, 0.5), answers = listOf(250, 250)).before(warm)
        val trial = MadeSeries.forks("jdk", forks = 1) { null }.single().copy(series = whole)
        val table = frame(listOf(trial)).series()
        table.column("warmUp").count { it == true } shouldBe 2
        table.rows().first()["compilersProcessors"] shouldBe null
    }

    @Test
    fun `trials without a series are no rows, and where none has one a sentence says why`() {
        val old = MadeSeries.forks("okhttp", forks = 2) { null }
        frame(MadeSeries.forks("jdk", forks = 1) { MadeSeries(10.0) }, old).series().column("client").distinct() shouldBe listOf("jdk")
        shouldThrow<LabException> { frame(old).series() }.message shouldContain "No trial here has a series over time"
        shouldThrow<LabException> { frame(old).shapes() }.message shouldContain "run the experiment again"
    }

    @Test
    fun `shapes are counted for each treatment, with the time until the series is steady`() {
        val quick = MadeSeries.forks("jdk") { MadeSeries(if (it == 0) 0.0 else 12.0, shape = if (it == 0) "flat" else "warm-up") }
        val slow = MadeSeries.forks("okhttp") { MadeSeries(if (it < 6) null else 30.0) }
        val table = frame(quick, slow).shapes()
        listOf("client", "n", "flat", "warmUp", "slowdown", "noSteadyState").map {
            table.rows().first { row ->
                row["client"] == "jdk"
            }[it]
        } shouldBe
            listOf("jdk", 8, 1, 7, 0, 0)
        val (jdk, okhttp) = listOf("jdk", "okhttp").map { id -> table.filter { it["client"] == id }.rows().single()["steadyAfterSeconds"] }
        "$jdk" shouldContain Regex("^12 \\[")
        "$okhttp" shouldContain Regex("^at least 60 \\[")
    }

    @Test
    fun `a series too short to tell has no shape, no time, and is counted`() {
        val short = MadeSeries.forks("jdk", forks = 1) { MadeSeries(null, seconds = 3, shape = null) }
        val row = frame(short).shapes().rows().single()
        row["n"] shouldBe 0
        row["tooShort"] shouldBe 1
        row["steadyAfterSeconds"] shouldBe "none"
    }

    private val reached = MadeSeries.forks("jdk", "steady", metrics = { mapOf("steady" to if (it < 2) 0.0 else 1.0) }) { MadeSeries(0.0) }

    @Test
    fun `a trial that should be steady and is not is left out, and named`() {
        val group = frame(reached).byTreatment().single()
        group.counted.map { it.round } shouldBe (2..7).toList()
        group.notSteady.map { it.round } shouldBe listOf(0, 1)
        listOf(group).leftOut() shouldBe "; left out: jdk, 2 of 8 trials not steady"
        frame(reached).summary("requestCpuMs").rows().single()["outcome"] shouldBe "6 complete, 2 not steady"
        frame(reached).shapes().rows().single()["n"] shouldBe 8
    }

    @Test
    fun `a trial that is measured young counts as it is`() {
        val cold = MadeSeries.forks("jdk", metrics = { mapOf("steady" to 0.0) }) { MadeSeries(null) }
        frame(cold).byTreatment().single().counted.size shouldBe 8
    }

    @Test
    fun `where no trial got steady, the treatment is left out as a whole`() {
        val none = MadeSeries.forks("jdk", "steady", forks = 2, metrics = { mapOf("steady" to 0.0) }) { MadeSeries(null) }
        frame(none).measured().leftOut.single().client shouldBe "jdk"
        frame(none).measured().leftOut() shouldBe "; left out: jdk, 2 of 2 trials not steady"
    }
}
