package clientlab.notebook.chart

import io.kotest.assertions.fail
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import java.util.Locale
import kotlin.math.abs
import kotlin.math.pow
import clientlab.notebook.catalogue.clients as catalogued

class StyleTest {
    private val listed: List<String> = catalogued().map { it.id }
    private val opened = listed.filterNot { it.endsWith("-virtual") }
    private val clients = listed + opened.map { "$it@default" } + opened.map { "$it@article" }

    @Test
    fun `every client of the catalogue has a colour of its own`() {
        opened.filterNot(Style::hasOwnColor).forEach { id ->
            fail(
                "$id has no colour of its own. Add `\"$id\" to \"${free(Style.shapeOf(id))}\",` to HUES in chart/Style.kt: " +
                    "no other client of its shape is mistaken for this colour.",
            )
        }
    }

    @Test
    fun `the shape of a client is what its description says of threads`() {
        listOf("retrofit", "retrofit-virtual", "jdk", "jdk-blocking", "fuel", "vertx", "retrofit@default", "retrofit@pool")
            .map(Style::shapeOf) shouldBe
            listOf(
                PointShape.SQUARE,
                PointShape.HOLLOW_SQUARE,
                PointShape.CIRCLE,
                PointShape.SQUARE,
                PointShape.SQUARE,
                PointShape.CIRCLE,
                PointShape.HOLLOW_TRIANGLE,
                PointShape.TRIANGLE,
            )
        opened.filter { Style.shapeOf(it) == PointShape.SQUARE }.toSet() shouldContainAll
            setOf("retrofit", "okhttp", "ktor-okhttp", "fuel", "urlconnection", "jdk-blocking", "spring-restclient", "helidon")
    }

    @Test
    fun `a client keeps its colour`() {
        clients.associateWith(Style::colorOf).filterKeys { it in setOf("retrofit", "ktor-cio", "jdk", "ktor-cio@article") } shouldBe
            mapOf("retrofit" to "#e7330f", "ktor-cio" to "#1487c9", "jdk" to "#2f9e44", "ktor-cio@article" to "#0c5179")
    }

    @Test
    fun `no two clients look the same`() {
        withClue("These have one colour: give one of them another in chart/Style.kt.") {
            clients.groupBy(Style::colorOf).values.filter { it.size > 1 }.shouldBeEmpty()
        }
    }

    @Test
    fun `every colour stands out from the white surface`() {
        // WCAG 2.1 asks 3:1 of graphics that carry meaning.
        clients.filter { contrastWithWhite(Style.colorOf(it)) < 3.0 }.shouldBeEmpty()
        listOf("unheard-of", "my own client", "x").filter { contrastWithWhite(Style.colorOf(it)) < 3.0 }.shouldBeEmpty()
    }

    @Test
    fun `a reader who sees only two primary colours can tell the clients of one shape apart`() {
        val coloured = opened.filter(Style::hasOwnColor)
        val alike = coloured
            .flatMapIndexed { i, a -> coloured.drop(i + 1).map { b -> a to b } }
            .filter { (a, b) -> Style.shapeOf(a) == Style.shapeOf(b) }
            .filter { (a, b) -> distanceWithoutRedGreen(Style.colorOf(a), Style.colorOf(b)) < APART }
        withClue("Give one of each pair another colour in chart/Style.kt; free are ${PointShape.entries.take(2).map(::free)}") {
            alike.shouldBeEmpty()
        }
    }

    @Test
    fun `an unknown client has a colour of its own that does not change`() {
        Style.colorOf("my-client") shouldBe Style.colorOf("my-client")
        Style.isColor(Style.colorOf("my-client")) shouldBe true
        Style.colorOf("my-client@tuned") shouldNotBe Style.colorOf("my-client")
    }

    /** The colour that stands out from white and is farthest from those of all clients of [shape]. */
    private fun free(shape: PointShape): String {
        val taken = opened.filter { Style.hasOwnColor(it) && Style.shapeOf(it) == shape }.map(Style::colorOf)
        val steps = (0..255 step 15).toList()
        return steps
            .flatMap { r -> steps.flatMap { g -> steps.map { b -> "#%02x%02x%02x".format(Locale.ROOT, r, g, b) } } }
            .filter { contrastWithWhite(it) >= 3.0 }
            .maxBy { color -> taken.minOf { distanceWithoutRedGreen(color, it) } }
    }

    private fun channels(color: String) = (1..5 step 2).map { at ->
        val share = color.substring(at, at + 2).toInt(16) / 255.0
        if (share <= 0.04045) share / 12.92 else ((share + 0.055) / 1.055).pow(2.4)
    }

    private fun contrastWithWhite(color: String): Double {
        val (r, g, b) = channels(color)
        return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
    }

    /** Distance in CIELAB after deuteranopia as Viénot, Brettel and Mollon (1999) reduce it to two channels. */
    private fun distanceWithoutRedGreen(a: String, b: String): Double {
        val (first, second) = listOf(a, b).map { color ->
            val (r, g, blue) = channels(color)
            val yellow = 0.29275 * r + 0.70725 * g
            lab(yellow, yellow, -0.02234 * r + 0.02234 * g + blue)
        }
        return first.zip(second).sumOf { (p, q) -> abs(p - q).pow(2) }.pow(0.5)
    }

    private fun lab(r: Double, g: Double, b: Double): List<Double> {
        fun f(t: Double) = if (t > 0.008856) t.pow(1.0 / 3) else 7.787 * t + 16.0 / 116
        val x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
        val y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
        val z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
        return listOf(116 * y - 16, 500 * (x - y), 200 * (y - z))
    }

    private companion object {
        /** The least distance in CIELAB between two clients of one shape. */
        const val APART = 14
    }
}
