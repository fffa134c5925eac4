package clientlab.steady

import kotlin.math.PI
import kotlin.math.exp
import kotlin.math.max
import kotlin.math.sin
import kotlin.random.Random
import kotlin.random.asJavaRandom

/** Seeded series whose shape is known, with normal noise of 2 to 10 % of the level, single outliers, and 60 to 300 intervals. */
internal class SyntheticSeries private constructor(val name: String, val shape: Shape, val values: DoubleArray) {
    companion object {
        /** [each] of each shape. */
        fun all(each: Int, seed: Int): List<SyntheticSeries> {
            val random = Random(seed)
            return Shape.entries.flatMap { shape -> List(each) { of(shape, it, random) } }
        }

        private fun of(shape: Shape, number: Int, random: Random): SyntheticSeries {
            val n = random.nextInt(60, 301)
            val kinds = when (shape) {
                Shape.FLAT -> listOf("flat" to { _: Int -> 1.0 })
                Shape.WARM_UP -> listOf("steps down" to stepsDown(n, random), "exponential" to decay(n, random))
                Shape.SLOWDOWN -> listOf("step up" to stepUp(n, random), "down and up" to downAndUp(n, random))
                Shape.NO_STEADY_STATE -> listOf("drift" to drift(n, random), "waves" to waves(n, random), "late" to late(n, random))
            }
            val (name, level) = kinds[number % kinds.size]
            return SyntheticSeries("$name $number of $n", shape, noisy(n, random, level))
        }

        private fun noisy(n: Int, random: Random, level: (Int) -> Double): DoubleArray {
            val noise = random.nextDouble(0.02, 0.1)
            val outliers = random.nextDouble(0.0, 0.03)
            val scale = exp(random.nextDouble(-3.0, 3.0))
            return DoubleArray(n) {
                val spike = if (random.nextDouble() < outliers) random.nextDouble(1.5, 4.0) else 1.0
                scale * level(it) * spike * (1 + noise * random.asJavaRandom().nextGaussian())
            }
        }

        /** The last change of a series that gets steady is there at the latest. */
        private fun latest(n: Int) = n - max(24, n * 2 / 5)

        private fun stepsDown(n: Int, random: Random): (Int) -> Double {
            val places = List(random.nextInt(1, 4)) { random.nextInt(3, latest(n)) }
            val heights = places.map { random.nextDouble(0.25, 1.5) }
            return { index -> 1 + places.indices.sumOf { if (index < places[it]) heights[it] else 0.0 } }
        }

        private fun decay(n: Int, random: Random): (Int) -> Double {
            val (height, length) = random.nextDouble(0.5, 4.0) to random.nextDouble(3.0, n / 12.0)
            return { 1 + height * exp(-it / length) }
        }

        private fun stepUp(n: Int, random: Random): (Int) -> Double {
            val (place, height) = random.nextInt(8, latest(n)) to random.nextDouble(0.25, 2.0)
            return { if (it < place) 1.0 else 1 + height }
        }

        private fun downAndUp(n: Int, random: Random): (Int) -> Double {
            val down = random.nextInt(3, latest(n) - 10)
            val up = random.nextInt(down + 8, latest(n))
            val (before, after) = random.nextDouble(0.25, 2.0) to random.nextDouble(0.25, 1.0)
            return {
                if (it < down) {
                    1 + before
                } else if (it < up) {
                    1.0
                } else {
                    1 + after
                }
            }
        }

        private fun drift(n: Int, random: Random): (Int) -> Double {
            val by = random.nextDouble(0.4, 1.5)
            val falls = random.nextBoolean()
            return { index -> 1 + by * (if (falls) n - index else index) / n }
        }

        private fun waves(n: Int, random: Random): (Int) -> Double {
            val (height, waves, phase) = List(3) { random.nextDouble() }
            return { 1 + (0.2 + 0.4 * height) * sin(2 * PI * (phase + (2 + 2 * waves) * it / n)) }
        }

        private fun late(n: Int, random: Random): (Int) -> Double {
            val place = random.nextInt(n * 4 / 5, n - 5)
            val after = if (random.nextBoolean()) random.nextDouble(0.4, 0.75) else random.nextDouble(1.25, 2.0)
            return { if (it < place) 1.0 else after }
        }
    }
}
