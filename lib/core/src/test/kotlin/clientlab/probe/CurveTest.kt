package clientlab.probe

import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

class CurveTest {
    private val curve = Curve()

    @Test
    fun `a curve that fits is kept as it is`() {
        repeat(150) { curve.add(it.toDouble(), it % 7) }
        curve.points() shouldBe List(150) { listOf(it.toDouble(), (it % 7).toDouble()) }
    }

    @ParameterizedTest
    @ValueSource(ints = [197, 198, 199, 200, 396, 397, 1_000, 99_999])
    fun `a curve of any length has at most 200 points, in order, each of them one that was added`(length: Int) {
        repeat(length) { curve.add(it.toDouble(), it * 31 % 1009) }
        val points = curve.points()
        points.size shouldBeLessThanOrEqual 200
        points.size shouldBeGreaterThan 90
        points.map { it[0] }.shouldBeSorted()
        points.map { it[0] }.shouldBeUnique()
        points.forEach { (at, value) -> value shouldBe (at.toInt() * 31 % 1009).toDouble() }
    }

    @ParameterizedTest
    @ValueSource(ints = [0, 1, 197, 198, 5_000, 9_998, 9_999])
    fun `the peak stays in the curve wherever it was`(at: Int) {
        repeat(10_000) { curve.add(it.toDouble(), if (it == at) 1_000 else 1) }
        curve.peak shouldBe 1_000
        curve.points().count { it == listOf(at.toDouble(), 1_000.0) } shouldBe 1
    }

    @Test
    fun `an empty curve has no points and no peak`() {
        curve.points() shouldBe emptyList()
        curve.peak shouldBe 0
    }
}
