package clientlab.notebook.chart

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ChartTest {
    private val data = ChartData.of(
        "client" to listOf("okhttp", "jdk"),
        "n" to listOf(501, 1),
        "word" to listOf("a", "b"),
        "below" to listOf(-1, 2),
    )
    private val clients = CategoryAxis(listOf("okhttp", "jdk"))

    private fun chart(
        vararg marks: Mark,
        x: Axis = NumberAxis("threads"),
        y: Axis = clients,
        facets: Facets? = null,
        alt: String = "words",
    ) = Chart("title", alt, marks.toList(), x, y, facets = facets)

    private fun refusal(make: () -> Any): String = shouldThrow<IllegalArgumentException> { make() }.message.shouldNotBeNull()

    @Test
    fun `an unknown column is named together with the ones there are`() {
        refusal { chart(Points(data, "threads", "client")) } shouldBe
            "There is no column 'threads' in the chart's data; there are [below, client, n, word]."
    }

    @Test
    fun `columns of different lengths are refused`() {
        refusal { ChartData.of("a" to listOf(1), "b" to listOf(1, 2)) } shouldBe
            "The columns of chart data must be equally long, but are a: 1, b: 2."
    }

    @Test
    fun `words where numbers are needed are refused with the word`() {
        refusal { chart(Points(data, "word", "client")) } shouldBe "Points of the chart 'title' need numbers in 'word', but there is 'a'."
    }

    @Test
    fun `a category that the axis does not name is refused`() {
        refusal { chart(Points(data, "n", "client"), y = CategoryAxis(listOf("okhttp"))) } shouldBe
            "Points of the chart 'title' have client [jdk], which its axis does not name; it names [okhttp]."
    }

    @Test
    fun `a panel that is not there is refused`() {
        refusal { chart(Points(data, "n", "client"), facets = Facets("word", listOf("a"))) } shouldBe
            "The chart 'title' has no panel for word [b]; its panels are [a]."
    }

    @Test
    fun `a number below zero is refused on a logarithmic axis`() {
        refusal { chart(Points(data, "below", "client"), x = NumberAxis("threads", NumberScale.LOG10)) } shouldBe
            "Points of the chart 'title' have below -1.0, which a logarithmic axis cannot show."
    }

    @Test
    fun `bars that do not begin at zero are refused`() {
        refusal { chart(Bars(data, "n", "client"), x = NumberAxis("threads", zero = false)) } shouldBe
            "Bars need a linear axis from zero in the chart 'title'."
    }

    @Test
    fun `a chart without words for those who cannot see it is refused`() {
        refusal { chart(Points(data, "n", "client"), alt = " ") } shouldBe "The chart 'title' needs a text alternative (alt)."
    }

    @Test
    fun `categories on both axes are refused`() {
        refusal { chart(x = clients, y = clients) } shouldBe "The chart 'title' has categories on both axes; one must hold numbers."
    }

    @Test
    fun `a colour that is none is refused`() {
        refusal { chart().copy(colors = mapOf("ours" to "blue")) } shouldBe "'blue' is no colour; write it as #rrggbb."
    }

    @Test
    fun `a reference line is at one place only`() {
        refusal { ReferenceLines(data, x = "n", y = "n") } shouldBe
            "A reference line is at an x or at a y: give exactly one of the two columns."
    }

    @Test
    fun `rows become columns and a missing cell becomes null`() {
        ChartData.ofRows(listOf(mapOf("a" to 1), mapOf("a" to 2, "b" to 3))) shouldBe
            ChartData.of("a" to listOf(1, 2), "b" to listOf(null, 3))
    }
}
