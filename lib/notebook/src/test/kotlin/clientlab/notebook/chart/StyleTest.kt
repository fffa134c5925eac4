package clientlab.notebook.chart

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import kotlin.math.abs
import kotlin.math.pow

class StyleTest {
    private val opened = listOf(
        "retrofit",
        "okhttp",
        "ktor-okhttp",
        "fuel",
        "urlconnection",
        "jdk-blocking",
        "ktor-cio",
        "ktor-java",
        "ktor-apache5",
        "ktor-apache",
        "jdk",
        "apache5-async",
        "spring-webclient",
        "spring-restclient",
        "vertx",
        "jetty",
        "netty-alone",
        "helidon",
        "async-http-client",
        "armeria",
    )
    private val clients = opened + opened.map { "$it@default" } + opened.map { "$it@article" } +
        listOf("retrofit-virtual", "okhttp-virtual", "urlconnection-virtual", "spring-restclient-virtual", "helidon-virtual")

    @Test
    fun `a client keeps its colour`() {
        clients.associateWith(Style::colorOf).filterKeys { it in setOf("retrofit", "ktor-cio", "jdk", "ktor-cio@article") } shouldBe
            mapOf("retrofit" to "#e7330f", "ktor-cio" to "#1487c9", "jdk" to "#2f9e44", "ktor-cio@article" to "#0c5179")
    }

    @Test
    fun `no two clients look the same`() {
        clients.map { Style.colorOf(it) to Style.shapeOf(it) }.toSet().size shouldBe clients.size
        clients.map(Style::colorOf).toSet().size shouldBe clients.size
    }

    @Test
    fun `every colour stands out from the white surface`() {
        // WCAG 2.1 asks 3:1 of graphics that carry meaning.
        clients.filter { contrastWithWhite(Style.colorOf(it)) < 3.0 }.shouldBeEmpty()
        listOf("unheard-of", "my own client", "x").filter { contrastWithWhite(Style.colorOf(it)) < 3.0 }.shouldBeEmpty()
    }

    @Test
    fun `whoever sees two primary colours only can tell the clients of one shape apart`() {
        val alike = opened
            .flatMapIndexed { i, a -> opened.drop(i + 1).map { b -> a to b } }
            .filter { (a, b) -> Style.shapeOf(a) == Style.shapeOf(b) && distanceWithoutRedGreen(Style.colorOf(a), Style.colorOf(b)) < 14 }
        alike.shouldBeEmpty()
    }

    @Test
    fun `an unknown client has a colour of its own that does not change`() {
        Style.colorOf("my-client") shouldBe Style.colorOf("my-client")
        Style.isColor(Style.colorOf("my-client")) shouldBe true
        Style.colorOf("my-client@tuned") shouldNotBe Style.colorOf("my-client")
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
}
