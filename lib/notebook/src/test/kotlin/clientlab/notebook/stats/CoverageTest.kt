package clientlab.notebook.stats

import io.kotest.matchers.ints.shouldBeInRange
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory

/** How often an interval of 95 % holds the truth, of 1,000 simulated runs: what the documentation of each says. */
class CoverageTest {
    /** A run of [n] forks of a shape, its interval and what is true. */
    private class Method(val name: String, val run: (Shape, n: Int, Draws) -> Pair<Estimate, Double>)

    private val methods =
        listOf(
            Method("median") { shape, n, draws -> Bootstrap.median(shape.draw(draws, n)) to shape.median },
            Method("mean") { shape, n, draws -> Bootstrap.mean(shape.draw(draws, n)) to shape.mean },
            Method("ratio") { shape, n, draws ->
                Bootstrap.ratio(shape.draw(draws, n).map { it * 1.5 }, shape.draw(draws, n)) to 1.5
            },
            Method("difference") { shape, n, draws ->
                Bootstrap.difference(shape.draw(draws, n).map { it + 3 }, shape.draw(draws, n)) to 3.0
            },
            Method("Cliff's delta") { shape, n, draws ->
                Dominance.cliffsDelta(shape.raised(draws, n), shape.draw(draws, n)) to shape.above
            },
            Method("slope") { shape, n, draws ->
                Slope.of(ForkPoints(PLACES.associateWith { x -> List(n) { x + (shape.draw(draws) - shape.mean) * (x + 10) / 20 } })) to 1.0
            },
        )

    /** Where an interval does not hold the truth in 93 to 97 of 100 cases, as its documentation says. */
    private val exceptions =
        mapOf(
            Triple("mean", Shape.SKEWED, 10) to 910..935,
            Triple("slope", Shape.SKEWED, 10) to 885..925,
            Triple("slope", Shape.SKEWED, 30) to 915..950,
        ) + Shape.entries.associate { Triple("median", it, 30) to 910..960 }

    @Tag("long")
    @TestFactory
    fun `of 1,000 runs of 10 and of 30 forks, intervals hold the truth in 93 to 97 percent, or as often as is said of them`() =
        cases(listOf(10, 30)) { method, shape, n ->
            held(method, shape, n, 1_000) shouldBeInRange (exceptions[Triple(method.name, shape, n)] ?: 930..970)
        }

    @TestFactory
    fun `of 200 runs of 10 forks, intervals hold the truth about as often as they say`() =
        cases(listOf(10)) { method, shape, n -> held(method, shape, n, 200) shouldBeInRange 178..197 }

    @TestFactory
    fun `the interval of the median of five forks is as long as it can be`() =
        Shape.entries.map { shape -> dynamicTest("$shape") { held(methods[0], shape, 5, 1_000) shouldBeInRange 920..955 } }

    private fun cases(forks: List<Int>, test: (Method, Shape, Int) -> Unit): List<DynamicTest> =
        methods.flatMap { method ->
            Shape.entries.flatMap { shape -> forks.map { n -> dynamicTest("${method.name}, $shape, n = $n") { test(method, shape, n) } } }
        }

    private fun held(method: Method, shape: Shape, n: Int, runs: Int): Int {
        val draws = Draws(20261121L + n)
        val held =
            (1..runs).count {
                val (interval, truth) = method.run(shape, n, draws)
                truth in interval.low..interval.high
            }
        println("${method.name}, $shape, n = $n: $held of $runs")
        return held
    }

    private companion object {
        val PLACES = listOf(0, 10, 50, 100)
    }
}
