package clientlab.server.request

import clientlab.server.answer.*
import clientlab.server.page.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.netty.handler.codec.http.HttpMethod
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.ValueSource
import kotlin.math.roundToLong
import kotlin.time.Duration.Companion.seconds

class DelayDistributionTest {
    private val recorded = mapOf("day" to RecordedDelays(longArrayOf(1_000_000, 2_000_000, 3_000_000, 90_000_000_000)))
    private val routes = DataRoutes(60.seconds, recorded, ::ServerDescription)

    private fun ask(query: String): Answer = routes.answer(HttpMethod.GET, "/delay?$query")

    private fun draws(delay: String, n: Int = 4_000): List<Double> = (0 until n).map { ask("delay=$delay&seed=7&a=$it").delayNanos / 1e9 }

    @ParameterizedTest
    @CsvSource(
        // The quantiles of each distribution, from its own formula.
        "'normal(5s,1s)', 4.326, 5, 5.674",
        "'lognormal(5s,0.5)', 3.569, 5, 7.006",
        "exp(2s), 0.5754, 1.3863, 2.7726",
        "'uniform(1s,3s)', 1.5, 2, 2.5",
        "'pareto(1s,2)', 1.1547, 1.4142, 2",
    )
    fun `what is drawn has the quartiles of its distribution`(delay: String, low: Double, middle: Double, high: Double) {
        val sorted = draws(delay).sorted()
        listOf(low, middle, high).forEachIndexed { i, quartile ->
            sorted[sorted.size * (i + 1) / 4].shouldBeBetween(quartile * 0.94, quartile * 1.06, 0.0)
        }
    }

    @Test
    fun `a seed and a number give the same delay again, in whatever order and over whatever server`() {
        val there = (0 until 50).map { ask("delay=exp(100ms)&seed=3&a=$it").delayNanos }
        val back = (49 downTo 0).map {
            DataRoutes(
                60.seconds,
                describe = ::ServerDescription,
            ).answer(HttpMethod.GET, "/datetime?a=$it&seed=3&delay=exp(100ms)").delayNanos
        }
        back.reversed() shouldBe there
        there.toSet().size shouldBe 50
        (0 until 50).map { ask("delay=exp(100ms)&seed=4&a=$it").delayNanos }.toSet().intersect(there.toSet()) shouldBe emptySet()
    }

    @Test
    fun `what is due in a pause is answered at its end, and nothing else is late`() {
        var now = 0L
        val delays = DelayParser(emptyMap()) { now }.read("stalls(5ms,1s,10s)")

        fun at(seconds: Double): Double {
            now = (seconds * 1e9).toLong()
            return delays.quantile(0.5)
        }
        at(0.0) shouldBe 0.005
        at(8.99) shouldBe 0.005
        at(8.999) shouldBe (1.001 plusOrMinus 1e-9)
        at(9.5) shouldBe (0.5 plusOrMinus 1e-9)
        at(9.996) shouldBe 0.005
        at(19.2) shouldBe (0.8 plusOrMinus 1e-9)
    }

    @Test
    fun `a request in a queue waits for those before it, and each queue has a name`() {
        var now = 0L
        val delays = DelayParser(emptyMap()) { now }

        fun waits(queue: String) = (delays.read("queue(2ms,$queue)").quantile(0.5) * 1e6).roundToLong()
        listOf(waits("one"), waits("one"), waits("other"), waits("one")) shouldBe listOf(2_000L, 4_000L, 2_000L, 6_000L)
        // After five of its six milliseconds one is left, and a request has two of its own.
        now = 5_000_000
        waits("one") shouldBe 3_000L
        now = 60_000_000
        waits("one") shouldBe 2_000L
    }

    @ParameterizedTest
    @ValueSource(strings = ["queue(2ms)", "queue(0s,one)", "queue(x,one)", "queue(2ms,one,two)"])
    fun `a queue without a time or a name is refused with what one is`(text: String) {
        shouldThrow<BadRequest> { DelayParser(emptyMap()).read(text) }.message shouldContain "queue(service,name), such as queue(2ms,mine)"
    }

    @ParameterizedTest
    @ValueSource(strings = ["stalls(5ms,1s)", "stalls(5ms,10s,1s)", "stalls(5ms,0s,1s)", "stalls(5ms,1s,x)"])
    fun `a pause that cannot be is refused with one that can`(delay: String) {
        ask("delay=$delay").let {
            it.status shouldBe 400
            it.text shouldContain "stalls(delay,length,every), such as stalls(5ms,1s,10s)"
        }
    }

    @Test
    fun `the numbers are those of SplitMix64`() {
        // The first two of seed 1234567, as published with the generator's reference code.
        listOf(6457827717110365317, 3203168211198807973).forEachIndexed { a, number ->
            val share = ((number ushr 11) + 0.5) / 9_007_199_254_740_992.0
            RandomDraws().seeded(1_234_567, a.toLong()) shouldBe share
        }
    }

    @Test
    fun `without a seed draws differ`() {
        (1..50).map { ask("delay=exp(1s)&a=1").delayNanos }.toSet().size shouldBe 50
    }

    @Test
    fun `nothing is drawn below zero or above the longest delay`() {
        val wide = draws("normal(30s,60s)")
        wide.min() shouldBe 0.0
        wide.max() shouldBe 60.0
        // A third lies below 0 and a third above 60, and none of them is lost or drawn again.
        (wide.count { it == 0.0 } / 4_000.0) shouldBe (0.3085 plusOrMinus 0.03)
        (wide.count { it == 60.0 } / 4_000.0) shouldBe (0.3085 plusOrMinus 0.03)
        draws("file(day)").max() shouldBe 60.0
    }

    @Test
    fun `the values of a file are drawn evenly`() {
        val counts = draws("file(day)").groupingBy { it }.eachCount()
        counts.keys shouldBe setOf(0.001, 0.002, 0.003, 60.0)
        counts.values.forEach { it / 4_000.0 shouldBe (0.25 plusOrMinus 0.03) }
    }

    @Test
    fun `the answer says what was drawn and from what`() {
        val answer = ask("delay=normal(100ms,20ms)&seed=1&a=2")
        answer.text shouldBe "delayed ${secondsText(answer.delayNanos)} s of normal(100ms,20ms), a=2"
    }

    @ParameterizedTest
    @ValueSource(strings = ["exp(1s)", "exp(1000ms)", "exp(1)", "exp( 1.0 )", "exp(1000000us)"])
    fun `a time has many spellings`(delay: String) {
        ask("delay=${delay.replace(" ", "%20")}&seed=1&a=1").delayNanos shouldBe ask("delay=exp(1s)&seed=1&a=1").delayNanos
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "normal()", "normal(1s)", "normal(1s,2s,3s)", "normal(-1s,1s)", "normal(0,1s)", "normal(1s,0)", "normal(NaN,1)", "exp(1e9)",
            "exp(90000s)", "uniform(2s,1s)", "uniform(1s,1s)", "pareto(1s,0)", "lognormal(1s,x)", "weibull(1,2)", "(1,2)", "exp(1s",
            "exp)1s(",
            "file()", "file(night)", "file(../day)", "file(/etc/passwd)", "file(day,day)",
        ],
    )
    fun `what cannot be drawn from is refused in one sentence`(delay: String) {
        val answer = ask("delay=$delay")
        answer.status shouldBe 400
        answer.text.lines().size shouldBe 1
        answer.text shouldEndWith "."
    }

    @Test
    fun `a seed needs a number to draw by`() {
        ask("delay=exp(1s)&seed=1").text shouldContain "seed needs a number in a"
        ask("delay=exp(1s)&seed=1&a=x").status shouldBe 400
        ask("delay=1&seed=x").text shouldBe "seed=x cannot be: give a whole number from 0 to 2147483647, or leave it out."
    }

    @Test
    fun `distributions asked for by the million are not all kept`() {
        val reader = DelayParser(emptyMap())
        repeat(10_000) { reader.read("exp(${it + 1}ms)") }
        reader.kept shouldBe 64
        shouldThrow<BadRequest> { reader.read("exp(x)") }
    }
}
