package clientlab.notebook.chart

import clientlab.notebook.figure.*
import clientlab.notebook.made.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.double
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import kotlin.math.abs

class FigureDataTest {
    private val trials = MadeTrials.frame(
        *MadeTrials
            .forks("retrofit", 100, 500) { inFlight, round ->
                mapOf("threadsBlocked" to inFlight + round / 3.0, "durationMs" to 2100.0, "inFlightPeak" to inFlight.toDouble())
            }.toTypedArray(),
    )

    private fun data(chart: Chart): JsonObject = LetsPlotRenderer { _, _ -> error("not wanted here") }.render(chart).data

    private fun JsonObject.list(name: String): JsonArray = getValue(name).jsonArray

    private fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content

    private fun JsonObject.marks(): List<JsonObject> = list("marks").map { it.jsonObject }

    @Test
    fun `a figure says its words, its axes with metric and unit, and its panels`() {
        val chart = trials.threadChart()
        val data = data(chart)
        data.text("kind") shouldBe "figure"
        data.text("schemaVersion") shouldBe "1"
        listOf("title", "alt", "caption", "subtitle").map { data.text(it) } shouldBe
            listOf(chart.title, chart.alt, chart.caption, chart.subtitle)
        val x = data.getValue("x").jsonObject
        x.text("metric") shouldBe "threadsBlocked"
        x.text("scale") shouldBe "linear"
        data
            .getValue("y")
            .jsonObject
            .list("categories")
            .map { it.jsonPrimitive.content } shouldBe listOf("retrofit")
        data
            .getValue("panels")
            .jsonObject
            .list("values")
            .map { it.jsonPrimitive.content } shouldBe listOf("100 requests", "500 requests")
        val own = NumberAxis("time", metric = "durationMs", unit = "delays")
        data(chart.copy(x = own)).getValue("x").jsonObject.text("unit") shouldBe "delays"
    }

    @Test
    fun `every dot names the run, the round and the treatment of its trial`() {
        val data = data(trials.threadChart())
        data.list("runs").map { it.jsonPrimitive.content } shouldContainExactly listOf(MadeTrials.RUN)
        val dots = data.marks().first { it["role"]?.jsonPrimitive?.content == "trial" }
        val values = dots.getValue("columns").jsonObject.list("value").map { it.jsonPrimitive.double }
        values shouldHaveSize 12
        val all = data.list("trials").map { trial -> trial.jsonArray.map { it.jsonPrimitive.int } }
        val trialOf = dots.list("trials").map { all[it.jsonPrimitive.int] }
        values.zip(trialOf).forEach { (value, trial) ->
            val (run, round, treatment) = trial
            val levels = data.list("treatments")[treatment].jsonObject
            run shouldBe 0
            value shouldBe (levels.getValue("inFlight").jsonPrimitive.int + round / 3.0 plusOrMinus 1e-3)
            levels.text("client") shouldBe "retrofit"
        }
    }

    @Test
    fun `a dot of the data part stands where the drawing has it`() {
        // A legend has circles that are no dots.
        Gallery.all.filterValues { it().legend == Legend.NONE }.forEach { (name, make) ->
            withClue(name) {
                val figure = LetsPlotRenderer { _, _ -> error("not wanted here") }.render(make())
                val panels = figure.data
                    .getValue("drawn")
                    .jsonObject
                    .list("panels")
                    .map { box -> box.jsonArray.map { it.jsonPrimitive.double } }
                // What keeps free axes apart is drawn without a size.
                val drawn = Regex("cx=\"([^\"]+)\" cy=\"([^\"]+)\" r=\"(?!0\\.0\")").findAll(figure.svg).map {
                    it.groupValues[1].toDouble() to it.groupValues[2].toDouble()
                }
                val told = figure.data.marks().flatMap { mark -> mark["dots"]?.jsonArray.orEmpty() }.map { dot ->
                    val (panel, across, down) = dot.jsonArray.drop(1).map { it.jsonPrimitive.double }
                    val (_, _, width, height) = panels[panel.toInt()]
                    across * width to down * height
                }
                // Only some shapes are circles; each circle is one of the dots.
                drawn.forEach { (x, y) -> told.any { (a, b) -> abs(a - x) < NEAR && abs(b - y) < NEAR } shouldBe true }
                panels.size shouldBe (make().facets?.order?.size ?: 1)
            }
        }
    }

    @Test
    fun `every mark of the gallery has its columns, and a figure has some tens of kilobytes at most`() {
        Gallery.all.forEach { (name, make) ->
            withClue(name) {
                val data = data(make())
                data.marks().forEach { mark ->
                    val columns = mark.getValue("columns").jsonObject
                    mark
                        .getValue("reads")
                        .jsonObject.values
                        .forEach { columns[it.jsonPrimitive.content].shouldNotBeNull() }
                    columns.values.map { it.jsonArray.size }.distinct() shouldHaveSize 1
                }
                data.toString().length shouldBeLessThan 60_000
            }
        }
    }

    @Test
    fun `the same chart has the same part, and another look another one`() {
        data(Gallery.threads()) shouldBe data(Gallery.threads())
        val other = Gallery.threads().let { it.copy(colors = mapOf("jdk" to "#000000")) }
        data(other)["drawing"] shouldNotBe data(Gallery.threads())["drawing"]
        data(other)["marks"] shouldBe data(Gallery.threads())["marks"]
    }

    @Test
    fun `a figure of no trials has words and no marks`() {
        data(Gallery.empty()).list("marks") shouldHaveSize 0
    }

    private companion object {
        const val NEAR = 0.01
    }
}
