package clientlab.steady

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.random.Random
import kotlin.random.asJavaRandom

class ChangePointsTest {
    @Test
    fun `PELT finds the cheapest of all segmentations, as the search without pruning does`() {
        val random = Random(2012)
        repeat(600) { number ->
            val cost = Cost.entries[number % 2]
            val values = blocks(random)
            val shortest = random.nextInt(cost.shortest, 5)
            val penalty = random.nextDouble(0.0, 15.0)
            val found = ChangePoints.of(values, cost, penalty, shortest)
            withClue("series $number, $cost, penalty $penalty, shortest $shortest: ${values.toList()}") {
                if (values.size >= 2 * shortest) {
                    val (points, total) = withoutPruning(values, cost.of(values)!!, penalty, shortest)
                    found shouldBe points
                    total(found, values.size, cost.of(values)!!, penalty) shouldBe (total plusOrMinus 1e-9)
                } else {
                    found.shouldBeEmpty()
                }
            }
        }
    }

    @Test
    fun `steps of the mean are found where they are`() {
        val random = Random(7)
        val values = DoubleArray(120) {
            (
                if (it < 30) {
                    8.0
                } else if (it < 75) {
                    5.0
                } else {
                    6.0
                }
            ) + 0.2 * random.asJavaRandom().nextGaussian()
        }
        Cost.entries.forEach { ChangePoints.of(values, it) shouldContainExactly listOf(30, 75) }
    }

    @Test
    fun `a change of the variance alone is found by one of the costs`() {
        val random = Random(8)
        val values = DoubleArray(200) { 5 + (if (it < 100) 0.1 else 1.0) * random.asJavaRandom().nextGaussian() }
        ChangePoints.of(values).single().toDouble() shouldBe (100.0 plusOrMinus 3.0)
    }

    @Test
    fun `equal values have no change, and equal values on two levels have one`() {
        Cost.entries.forEach { cost ->
            ChangePoints.of(DoubleArray(50) { 3.0 }, cost).shouldBeEmpty()
            ChangePoints.of(DoubleArray(50) { if (it < 20) 3.0 else 3.5 }, cost) shouldContainExactly listOf(20)
        }
    }

    @Test
    fun `a series is cut in the same places if it is shifted or scaled`() {
        val random = Random(9)
        val values = DoubleArray(90) { (if (it < 40) 2.0 else 1.0) + 0.1 * random.asJavaRandom().nextGaussian() }
        Cost.entries.forEach { cost ->
            val points = ChangePoints.of(values, cost)
            ChangePoints.of(DoubleArray(90) { 1e6 + values[it] }, cost) shouldBe points
            ChangePoints.of(DoubleArray(90) { 1e-6 * values[it] }, cost) shouldBe points
        }
    }

    @Test
    fun `of two equally cheap segmentations it takes the one with the longer last segment`() {
        // Three levels at equal distances and two segments: the values in the middle may belong to either side.
        val values = doubleArrayOf(0.0, 0.0, 1.0, 1.0, 2.0, 2.0)
        ChangePoints.of(values, Cost.MEAN, penalty = 12.0, shortest = 1) shouldContainExactly listOf(2)
    }

    @Test
    fun `few values have no change, and others than finite ones are refused`() {
        ChangePoints.of(doubleArrayOf()).shouldBeEmpty()
        ChangePoints.of(doubleArrayOf(1.0, 1.0, 9.0)).shouldBeEmpty()
        shouldThrow<IllegalArgumentException> { ChangePoints.of(doubleArrayOf(1.0, Double.NaN, 9.0, 9.0)) }
        shouldThrow<IllegalArgumentException> { ChangePoints.of(DoubleArray(9), shortest = 1) }
    }

    /** Up to 40 values on levels that change now and then. Some are rounded, so that there are ties and runs of equal values. */
    private fun blocks(random: Random): DoubleArray {
        var level = 0.0
        val rounded = random.nextInt(3) == 0
        val values = DoubleArray(random.nextInt(2, 41)) {
            if (random.nextInt(8) == 0) level = 3 * random.asJavaRandom().nextGaussian()
            val value = level + random.asJavaRandom().nextGaussian()
            if (rounded) Math.rint(value) else value
        }
        values[0] += 0.5
        return values
    }

    /** B. Jackson et al., *An algorithm for optimal partitioning of data on an interval* (2005): every start for every end. */
    private fun withoutPruning(values: DoubleArray, cost: SegmentCost, penalty: Double, shortest: Int): Pair<List<Int>, Double> {
        val cheapest = DoubleArray(values.size + 1) { Double.POSITIVE_INFINITY }.also { it[0] = -penalty }
        val cuts = Array(values.size + 1) { emptyList<Int>() }
        for (end in shortest..values.size) {
            for (start in 0..end - shortest) {
                val total = cheapest[start] + cost.of(start, end) + penalty
                if (total < cheapest[end]) {
                    cheapest[end] = total
                    cuts[end] = if (start == 0) emptyList() else cuts[start] + start
                }
            }
        }
        return cuts.last() to cheapest.last()
    }

    private fun total(points: List<Int>, n: Int, cost: SegmentCost, penalty: Double): Double =
        (listOf(0) + points).zip(points + n).sumOf { (start, end) -> cost.of(start, end) } + penalty * points.size
}
