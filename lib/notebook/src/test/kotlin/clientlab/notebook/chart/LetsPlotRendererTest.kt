package clientlab.notebook.chart

import clientlab.notebook.output.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import java.io.ByteArrayInputStream
import java.util.Base64
import javax.imageio.ImageIO
import javax.xml.parsers.DocumentBuilderFactory

class LetsPlotRendererTest {
    private val noPng = LetsPlotRenderer { _, _ -> error("not wanted here") }

    @Suppress("UNCHECKED_CAST")
    private fun Figure.layers() = spec.getValue("layers") as List<Map<String, Any?>>

    @Suppress("UNCHECKED_CAST")
    private fun Figure.scale(aesthetic: String) =
        (spec.getValue("scales") as List<Map<String, Any?>>).single { it["aesthetic"] == aesthetic }

    @Suppress("UNCHECKED_CAST")
    private fun Figure.geometries() = layers().map { it.getValue("geom") as String }

    @Test
    fun `trials, intervals, estimates and labels lie in that order`() {
        noPng.render(Gallery.threads()).geometries() shouldContainExactly listOf("vline", "point", "segment", "point", "text", "point")
    }

    @Test
    fun `trials are small and pale, estimates are not`() {
        val (trials, estimates) = noPng.render(Gallery.time()).layers().filter { it["geom"] == "point" }
        trials["alpha"] shouldBe Style.TRIAL_ALPHA
        trials["size"] shouldBe Style.TRIAL_SIZE
        estimates["alpha"].shouldBeNull()
        estimates["size"] shouldBe Style.ESTIMATE_SIZE
        trials["mapping"] shouldBe mapOf("x" to "x", "y" to "y", "color" to "series", "shape" to "series")
    }

    @Test
    fun `bars, lines, steps and reference lines become the geometries of Lets-Plot`() {
        noPng.render(Gallery.variance()).geometries() shouldContainExactly listOf("vline", "rect")
        noPng.render(Gallery.growth()).geometries() shouldContainExactly listOf("line", "point", "segment", "text")
        val curve = noPng.render(Gallery.curve())
        curve.geometries() shouldContainExactly listOf("hline", "hline", "text", "step")
        curve.layers()[1]["linetype"] shouldBe "dashed"
    }

    @Test
    fun `logarithmic axes are logarithmic and labelled`() {
        val figure = noPng.render(Gallery.growth())
        figure.scale("x")["trans"] shouldBe "log10"
        figure.scale("x")["labels"] shouldBe listOf("10", "50", "100", "200", "500", "1,000")
        figure.scale("y")["labels"] shouldBe listOf("0", "1", "3", "10", "30", "100", "300", "1,000")
    }

    @Test
    fun `colours and shapes belong to the client, whichever clients are there`() {
        val figure = noPng.render(Gallery.threads())
        figure.scale("color")["limits"] shouldBe Gallery.clients
        figure.scale("color")["values"] shouldBe Gallery.clients.map(Style::colorOf)
        figure.scale("shape")["values"] shouldBe Gallery.clients.map { Style.shapeOf(it).number }
    }

    @Test
    fun `panels come in the order given, not in that of the alphabet`() {
        val svg = noPng.render(Gallery.curve()).svg.substringAfter("</desc>")
        val places = listOf("ktor-cio@article", "ktor-cio").map {
            Regex(">\\s*$it\\s*<").find(svg).shouldNotBeNull().range.first
        }
        places shouldBe places.sorted()
        svg shouldNotContain "\u200b"
        svg shouldNotContain "\u200c"
    }

    @Test
    fun `the same chart is the same drawing to the last byte`() {
        Gallery.all.forEach { (name, make) ->
            withClue(name) {
                noPng.render(make()).svg shouldBe
                    LetsPlotRenderer { _, _ -> error("") }.render(make()).svg
            }
        }
    }

    @Test
    fun `every id that the drawing refers to is declared in it, and other drawings have others`() {
        val declared = Gallery.all.mapValues { (_, make) ->
            val svg = noPng.render(make()).svg
            val ids = Regex("\\bid=\"([^\"]+)\"").findAll(svg).map { it.groupValues[1] }.toList()
            ids.toSet().size shouldBe ids.size
            Regex("url\\(#([^)]+)\\)").findAll(svg).forEach { it.groupValues[1] shouldBeIn ids }
            Regex("aria-[a-z]+=\"([^\"]+)\"").findAll(svg).forEach { it.groupValues[1] shouldBeIn ids }
            ids
        }
        declared.values.flatten().toSet().size shouldBe declared.values.sumOf { it.size }
    }

    @Test
    fun `colours survive the renaming of ids`() {
        noPng.render(Gallery.threads()).svg shouldContain "fill: ${Style.INK}"
    }

    @Test
    fun `the drawing says in words what it shows`() {
        val chart = Gallery.time().copy(title = "a < b & c", alt = "Fuel needs \"16 s\" & more")
        val root = DocumentBuilderFactory
            .newInstance()
            .newDocumentBuilder()
            .parse(noPng.render(chart).svg.byteInputStream())
            .documentElement
        root.getAttribute("role") shouldBe "img"
        root.getElementsByTagName("title").item(0).textContent shouldBe "a < b & c"
        root.getElementsByTagName("desc").item(0).textContent shouldBe "Fuel needs \"16 s\" & more"
        root.getAttribute("aria-describedby") shouldBe root
            .getElementsByTagName("desc")
            .item(0)
            .attributes
            .getNamedItem("id")
            .nodeValue
    }

    @Test
    fun `names of more than twenty letters are written in full`() {
        val clients = listOf("urlconnection-virtual-a", "urlconnection-virtual-b", "jdk")
        val data = ChartData.of("client" to clients, "n" to listOf(0, 1, 2))
        val svg = noPng.render(Chart("t", "words", listOf(Points(data, "n", "client")), NumberAxis(), CategoryAxis(clients))).svg
        val (a, b) = clients.map { svg.indexOf(it) }
        svg shouldNotContain ".."
        // The first is the uppermost, and Lets-Plot writes an axis from below.
        (a > b && b > 0) shouldBe true
    }

    @Test
    fun `the picture is twice the size of the drawing`() {
        val chart = Gallery.article()
        val figure = LetsPlotRenderer().render(chart)
        val picture = ImageIO.read(ByteArrayInputStream(figure.png.shouldNotBeNull()))
        val size = chart.drawing().size
        picture.width to picture.height shouldBe (size.width * 2 to size.height * 2)
        figure.pngMissing.shouldBeNull()
        figure.mimeBundle().keys.toList() shouldContainExactly listOf("image/svg+xml", "image/png", "text/plain", DataPart.MIME)
        Base64.getDecoder().decode(figure.mimeBundle().getValue("image/png").jsonPrimitive.content) shouldBe figure.png
        figure.mimeBundle()["text/plain"] shouldBe JsonPrimitive(chart.alt)
    }

    @Test
    fun `a machine without fonts has the drawing and the reason why there is no picture`() {
        val figure = LetsPlotRenderer { _, _ -> throw InternalError("Fontconfig head is null") }.render(Gallery.article())
        figure.png.shouldBeNull()
        figure.pngMissing shouldBe "no PNG here: Fontconfig head is null"
        figure.mimeBundle() shouldContainKey "image/svg+xml"
        figure.mimeBundle().keys shouldBe setOf("image/svg+xml", "text/plain", DataPart.MIME)
    }

    @Test
    fun `no trials are drawn as the sentence that there are none`() {
        noPng.render(Gallery.empty()).svg shouldContain "no complete trials"
    }

    @Test
    fun `what is handed to Lets-Plot is what Kandy is held to`() {
        Gallery.all.forEach { (name, make) ->
            val expected = checkNotNull(javaClass.getResource("/charts/$name.txt")) { "There is no specification of '$name'." }.readText()
            withClue(name) { SpecText.of(noPng.render(make()).spec).lines() shouldBe expected.trim().lines() }
        }
    }

    @Test
    fun `without another renderer beside it Lets-Plot draws`() {
        chartRenderer().name shouldBe "lets-plot"
        LetsPlotRenderer().render(Gallery.curve()).geometries() shouldContain "step"
    }
}
