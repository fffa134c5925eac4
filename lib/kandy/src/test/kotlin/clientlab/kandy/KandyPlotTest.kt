package clientlab.kandy

import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.jetbrains.kotlinx.jupyter.api.libraries.JupyterIntegration
import org.jetbrains.kotlinx.kandy.dsl.plot
import org.jetbrains.kotlinx.kandy.ir.Plot
import org.jetbrains.kotlinx.kandy.letsplot.export.toSVG
import org.jetbrains.kotlinx.kandy.letsplot.feature.layout
import org.jetbrains.kotlinx.kandy.letsplot.layers.vLine
import org.jetbrains.kotlinx.kandy.letsplot.translator.toLetsPlot
import org.jetbrains.letsPlot.intern.toSpec
import org.junit.jupiter.api.Test

class KandyPlotTest {
    private val trials = published<Burst>("threads-2026-11e")

    @Suppress("UNCHECKED_CAST")
    private fun Plot.geometries() = (toLetsPlot().toSpec().getValue("layers") as List<Map<String, Any?>>).map { it["geom"] }

    @Test
    fun `a chart as a plot is exactly what the renderer draws`() {
        Gallery.all.forEach { (name, make) ->
            withClue(name) { SpecText.of(make().plot().toLetsPlot().toSpec()) shouldBe SpecText.of(KandyRenderer().render(make()).spec) }
        }
    }

    @Test
    fun `a reader changes the words of a figure and adds a layer, and the rest stays`() {
        val ours = trials.threadChart().plot()
        val theirs = trials.threadChart().plot {
            vLine { xIntercept.constant(250.0) }
            layout { title = "Mine" }
        }
        theirs.geometries() shouldContainExactly ours.geometries() + "vline"
        theirs.toSVG() shouldContain "Mine"
    }

    @Test
    fun `our layers are drawn in a plot of the reader's own, with their panels and axes`() {
        val plot = trials.plot {
            threads()
            layout { title = "mine" }
        }
        plot.geometries() shouldContain "point"
        val svg = plot.toSVG()
        listOf("mine", "retrofit", "platform threads held by requests").forEach { svg shouldContain it }
        svg shouldNotContain "Error"
        trials.plot { times() }.toSVG() shouldContain "in delays"
        trials.plot { curves(500, "fuel", "retrofit") }.toSVG() shouldContain "requests in flight"
    }

    @Test
    fun `a plot is shown as pictures and words, with nothing that a browser would have to fetch`() {
        val shown = KandyIntegration.shown(trials.threadChart().plot().toSVG(), "Words.")
        listOf("image/svg+xml", "image/png", "text/plain").forEach { shown shouldContainKey it }
        shown.keys.size shouldBe 3
        shown.getValue("image/svg+xml") shouldNotContain "<script"
    }

    @Test
    fun `the jar's list of integrations names the notebook's and this one, and both are there`() {
        val files = javaClass.classLoader
            .getResources("META-INF/kotlin-jupyter-libraries/libraries.json")
            .toList()
            .map { it.readText() }
        val text = files.single { "KandyIntegration" in it }
        val names = Json.parseToJsonElement(text).jsonObject.getValue("producers").jsonArray.map {
            it.jsonObject.getValue("fqn").jsonPrimitive.content
        }
        names.map { Class.forName(it).getDeclaredConstructor().newInstance() is JupyterIntegration } shouldBe names.map { true }
        val notebooks = files.first { "KandyIntegration" !in it && "clientlab" in it }
        Json.parseToJsonElement(notebooks).jsonObject.getValue("producers").jsonArray.forEach {
            names shouldContain it.jsonObject.getValue("fqn").jsonPrimitive.content
        }
    }
}
