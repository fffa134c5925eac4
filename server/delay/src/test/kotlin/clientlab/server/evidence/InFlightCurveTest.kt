package clientlab.server.evidence

import io.kotest.matchers.collections.shouldBeSortedBy
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.random.Random

class InFlightCurveTest {
    private val curve = InFlightCurve().apply { reset(0) }

    @Test
    fun `a few changes far apart are all kept, after what there was before`() {
        curve.record(5 * MS, 1)
        curve.record(20 * MS, 2)
        curve.record(90 * MS, 1)
        curve.points() shouldContainExactly listOf(5 * MS to 0, 5 * MS to 1, 20 * MS to 2, 90 * MS to 1)
    }

    @Test
    fun `what is in flight at the reset is where the curve begins`() {
        curve.record(1 * MS, 9)
        curve.reset(7)
        curve.points() shouldContainExactly listOf(0L to 7)
        curve.record(3 * MS, 6)
        curve.points() shouldContainExactly listOf(3 * MS to 7, 3 * MS to 6)
    }

    @Test
    fun `five waves of a hundred stay five waves, with their peaks and their edges in place`() {
        for (wave in 0L until 5) {
            for (i in 1..100) curve.record(wave * 2000 * MS + i * MS / 10, i)
            for (i in 1..100) curve.record((wave + 1) * 2000 * MS - 20 * MS + i * MS / 10, 100 - i)
        }
        val points = curve.points()
        points.size shouldBeLessThanOrEqual 200
        points shouldBeSortedBy { it.first }
        for (wave in 0L until 5) {
            val middle = points.last { it.first <= (wave * 2000 + 1000) * MS }
            middle.second shouldBe 100
            middle.first - wave * 2000 * MS shouldBeLessThan 20 * MS
            points.last { it.first <= ((wave + 1) * 2000 - 1) * MS }.second shouldBe 0
        }
    }

    @Test
    fun `however much is recorded, there are at most 200 true points in order, the peak and the end among them`() {
        val random = Random(7)
        val truth = HashSet<Pair<Long, Int>>()
        var at = 0L
        var value = 0
        var peak = 0
        repeat(200_000) {
            at += random.nextLong(0, 2 * MS)
            value = maxOf(0, value + if (random.nextBoolean()) 1 else -1)
            peak = maxOf(peak, value)
            curve.record(at, value)
            truth += at to value
        }
        val points = curve.points()
        points.size shouldBeLessThanOrEqual 200
        points shouldBeSortedBy { it.first }
        (points.drop(1) - truth) shouldBe emptyList()
        points.last() shouldBe (at to value)
        points.map { it.second } shouldContain peak
    }

    private companion object {
        const val MS = 1_000_000L
    }
}
