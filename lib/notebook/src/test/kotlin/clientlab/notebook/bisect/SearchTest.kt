package clientlab.notebook.bisect

import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.ceil
import kotlin.math.log2

class SearchTest {
    private var questions = 0

    private fun find(size: Int, answer: (Int) -> String?): Change? {
        questions = 0
        return search(size) { places ->
            questions++
            places.map(answer)
        }
    }

    @Test
    fun `every change in up to forty candidates is found with no more questions than halving takes`() {
        for (size in 2..40) {
            for (since in 1 until size) {
                withClue("$since of $size") {
                    find(size) { "${it >= since}" }.shouldNotBeNull().let { it.before to it.since } shouldBe (since - 1 to since)
                    questions shouldBeLessThanOrEqual ceil(log2(size.toDouble())).toInt() + 1
                }
            }
        }
    }

    @Test
    fun `where both ends say the same there is no change, after one question`() {
        find(20) { "true" }.shouldBeNull()
        questions shouldBe 1
    }

    @Test
    fun `where the ends may differ by chance there is no change either`() {
        search(20, surely = { false }) { places -> places.map { "${it > 5}" } }.shouldBeNull()
    }

    @Test
    fun `an end that cannot say leaves it open`() {
        find(5) { if (it == 4) null else "true" }.shouldBeNull()
    }

    @Test
    fun `where one in the middle cannot say its neighbours are asked`() {
        find(9) { if (it == 4) null else "${it >= 6}" }.shouldNotBeNull().let { it.before to it.since } shouldBe (5 to 6)
    }

    @Test
    fun `a change among some that cannot say is told with its width`() {
        val change = find(9) { if (it in 3..5) null else "${it > 5}" }.shouldNotBeNull()
        change.before to change.since shouldBe (2 to 6)
        change.isWide shouldBe true
    }

    @Test
    fun `a third answer counts as changed`() {
        find(8) {
            if (it < 3) {
                "a"
            } else if (it < 6) {
                "b"
            } else {
                "c"
            }
        }.shouldNotBeNull().since shouldBe 3
    }
}
