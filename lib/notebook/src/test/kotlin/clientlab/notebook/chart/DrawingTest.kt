package clientlab.notebook.chart

import clientlab.notebook.chart.Drawing.Channel
import clientlab.notebook.chart.Drawing.Geometry
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DrawingTest {
    private val clients = listOf("okhttp", "jdk")
    private val rows = ChartData.of("client" to listOf("okhttp", "okhttp", "okhttp", "jdk"), "n" to listOf(501, 501, 500, 0))

    private fun chart(vararg marks: Mark, x: Axis = NumberAxis("threads"), y: Axis = CategoryAxis(clients), facets: Facets? = null) =
        Chart("title", "words", marks.toList(), x, y, facets = facets)

    private fun Drawing.only(geometry: Geometry) = layers.single { it.geometry == geometry }

    @Suppress("UNCHECKED_CAST")
    private fun Drawing.Layer.numbers(channel: Channel) = data.getValue(mapping.getValue(channel)) as List<Double>

    @Test
    fun `the first category is the uppermost`() {
        val points = chart(Points(rows, "n", "client")).drawing().only(Geometry.POINT)
        points.numbers(Channel.Y) shouldContainExactly listOf(1.0, 1.0, 1.0, 0.0)
        points.numbers(Channel.X) shouldContainExactly listOf(501.0, 501.0, 500.0, 0.0)
    }

    @Test
    fun `the first category is the leftmost where categories lie along x`() {
        val drawing = chart(Points(rows, "client", "n"), x = CategoryAxis(clients), y = NumberAxis("threads")).drawing()
        drawing.only(Geometry.POINT).numbers(Channel.X) shouldContainExactly listOf(0.0, 0.0, 0.0, 1.0)
        drawing.x.labels shouldBe clients
    }

    @Test
    fun `equal trials are spread within their category, the same way each time`() {
        fun places() = chart(Points(rows, "n", "client", role = PointRole.TRIAL)).drawing().only(Geometry.POINT).numbers(Channel.Y)
        val spread = places()
        spread shouldBe places()
        spread.toSet().size shouldBe 4
        spread.take(3).forEach { it shouldBe (1.0 plusOrMinus 0.3) }
    }

    @Test
    fun `an axis of counts begins at zero, with room for a mark that stands there`() {
        val (from, to) = chart(Points(rows, "n", "client")).drawing().x.limits.shouldNotBeNull()
        from shouldBeLessThan 0.0
        from shouldBeGreaterThan -20.0
        to shouldBeGreaterThan 501.0
    }

    @Test
    fun `bars begin at zero exactly`() {
        val drawing = chart(Bars(rows, "n", "client")).drawing()
        drawing.x.limits.shouldNotBeNull().first shouldBe 0.0
        drawing.only(Geometry.RECTANGLE).numbers(Channel.X_MIN).toSet() shouldBe setOf(0.0)
        drawing.only(Geometry.RECTANGLE).numbers(Channel.X_MAX) shouldContainExactly listOf(501.0, 501.0, 500.0, 0.0)
    }

    @Test
    fun `an interval without bounds is left out, its point is not`() {
        val data = ChartData.of("client" to clients, "n" to listOf(501, 1), "low" to listOf(500, null), "high" to listOf(502.0, Double.NaN))
        val drawing = chart(Intervals(data, "n", "client", "low", "high"), Points(data, "n", "client")).drawing()
        drawing.only(Geometry.SEGMENT).run {
            numbers(Channel.X) to numbers(Channel.X_END) shouldBe (listOf(500.0) to listOf(502.0))
        }
        drawing.only(Geometry.POINT).numbers(Channel.X).size shouldBe 2
    }

    @Test
    fun `zero is drawn and labelled on a logarithmic axis`() {
        val drawing = chart(
            Points(rows, "n", "client"),
            x = NumberAxis("threads", NumberScale.LOG10, breaks = listOf(0, 10, 500)),
        ).drawing()
        drawing.x.labels shouldBe listOf("0", "10", "500")
        drawing.only(Geometry.POINT).numbers(Channel.X).last() shouldBe drawing.x.breaks!!.first()
        drawing.x.breaks.first() shouldBeGreaterThan 0.0
    }

    @Test
    fun `a logarithmic axis labels 1, 2, 5 or powers of two`() {
        val data = ChartData.of("a" to listOf(1, 2, 30), "b" to listOf(100, 200, 1600))
        val drawing = chart(Points(data, "a", "b"), x = NumberAxis("", NumberScale.LOG10), y = NumberAxis("", NumberScale.LOG2)).drawing()
        drawing.x.labels shouldBe listOf("1", "2", "5", "10", "20")
        drawing.y.labels shouldBe listOf("128", "256", "512", "1,024")
        chart(Points(data, "a", "b"), x = NumberAxis(""), y = NumberAxis(""))
            .drawing()
            .x.breaks
            .shouldBeNull()
    }

    @Test
    fun `lanes share a category without touching`() {
        val data = ChartData.of("client" to listOf("jdk", "jdk"), "n" to listOf(1, 2), "source" to listOf("article", "ours"))
        val bars = chart(Bars(data, "n", "client", lane = "source")).drawing().only(Geometry.RECTANGLE)
        // The first lane is the upper one.
        bars.numbers(Channel.Y_MIN)[0] shouldBeGreaterThan bars.numbers(Channel.Y_MAX)[1]
    }

    @Test
    fun `panels keep the order given and reference lines are in all of them`() {
        val facets = Facets("client", listOf("okhttp", "jdk"), titles = mapOf("jdk" to "java.net.http"))
        val drawing = chart(ReferenceLines.atX(2, "the delay"), Points(rows, "n", "client"), facets = facets).drawing()
        val panels = drawing.panels.shouldNotBeNull()
        panels.titles.shouldBeSorted()
        panels.titles.map(PanelOrder::strip) shouldBe listOf("okhttp", "java.net.http")
        drawing.layers.filter { it.geometry == Geometry.UPRIGHT_LINE }.forEach { it.data.getValue(panels.column) shouldBe panels.titles }
    }

    @Test
    fun `the marks of many panels sort as numbers do`() {
        val marks = (0 until 11).map { PanelOrder.mark(it, 11) + "abcdefghijk"[10 - it] }
        marks.shouldBeSorted()
        marks.map(PanelOrder::strip) shouldBe "kjihgfedcba".map { it.toString() }
    }

    @Test
    fun `lines of one colour are drawn one by one`() {
        val data = ChartData.of(
            "s" to listOf(1, 0, 0, 1),
            "n" to listOf(5, 0, 0, 6),
            "round" to listOf(0, 0, 1, 1),
            "client" to listOf("jdk", "jdk", "jdk", "jdk"),
        )
        val lines = Lines(data, "s", "n", series = "round", color = "client", steps = true)
        val steps = chart(lines, y = NumberAxis("")).drawing().layers.filter { it.geometry == Geometry.STEP }
        steps.size shouldBe 2
        steps.first().numbers(Channel.X) shouldContainExactly listOf(0.0, 1.0)
    }

    @Test
    fun `labels at the ends of lines do not cover each other and none is lost`() {
        val drawing = Gallery.growth().drawing()
        val labels = drawing.only(Geometry.TEXT)
        val places = labels.numbers(Channel.Y).map { Math.log10(it) }.sorted()
        val (low, high) = drawing.y.limits.shouldNotBeNull()
        val height = Math.log10(high) - Math.log10(low)
        places.zipWithNext().forEach { (a, b) -> (b - a) / height shouldBeGreaterThan 12.0 / drawing.size.height }
        places.first() shouldBeGreaterThan Math.log10(low)
        places.last() shouldBeLessThan Math.log10(high)
        places.size shouldBe Gallery.clients.size
    }

    @Test
    fun `places that are far enough apart stay where they are`() {
        spreadApart(listOf(0.75, 0.25, 0.5), 0.125) shouldBe listOf(0.75, 0.25, 0.5)
        spreadApart(emptyList(), 0.1) shouldBe emptyList()
        val moved = spreadApart(listOf(0.5, 0.5, 0.5), 0.1)
        moved.zip(listOf(0.4, 0.5, 0.6)).forEach { (is_, should) -> is_ shouldBe (should plusOrMinus 1e-9) }
    }

    @Test
    fun `labels that cannot all have their gap share what there is`() {
        val places = spreadApart(List(30) { 1.0 }, 0.1)
        places.shouldBeSorted()
        places.first() shouldBeGreaterThan 0.0
        places.last() shouldBeLessThan 1.0
    }

    @Test
    fun `a long title is broken between words`() {
        Layout.wrap("one two three", 10.0, Style.widthOf("one two", 10.0) + 1) shouldBe "one two\nthree"
        Layout.wrap("", 10.0, 100.0) shouldBe ""
    }

    @Test
    fun `no trials are a chart that says so`() {
        val drawing = Gallery.empty().drawing()
        drawing.layers.single().data["text"] shouldBe listOf("no complete trials")
        drawing.title shouldBe Gallery.empty().title
    }

    @Test
    fun `the taller the list of clients the taller the chart`() {
        val few = chart(Points(rows, "n", "client")).drawing().size.height
        val many = chart(
            Points(rows, "n", "client"),
            y = CategoryAxis(clients + Gallery.clients.minus(clients.toSet())),
        ).drawing().size.height
        many shouldBeGreaterThan few + 250
    }

    private infix fun Int.shouldBeGreaterThan(other: Int) = toDouble() shouldBeGreaterThan other.toDouble()
}
