package clientlab.capacity

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.exp
import kotlin.math.ln
import kotlin.random.Random

class CapacitySearchTest {
    private class Tried(override val level: Int, override val passed: Boolean?) : Probe

    private val usual = CapacitySearch(start = 500, lowest = 10, highest = 50_000)

    private fun CapacitySearch.of(oracle: (Int) -> Boolean?) = search { Tried(it, oracle(it)) }

    private fun Found<*>.levels() = probes.map { it.level }

    @Test
    fun `it doubles, bisects geometrically, and repeats both ends`() {
        val found = usual.of { it < 3_000 }
        found.levels() shouldContainExactly listOf(500, 1_000, 2_000, 4_000, 2_828, 3_363, 3_084, 2_953, 3_084, 2_953)
        found.ending shouldBe Ending.Found
        found.capacity shouldBe 2_953
        found.beyond shouldBe 3_084
    }

    @Test
    fun `it halves where the first probe fails`() {
        usual.of { it < 60 }.levels().take(5) shouldContainExactly listOf(500, 250, 125, 62, 31)
    }

    @Test
    fun `every limit that a step has is found within 5 percent in at most 12 probes, ten of ten and a thousand of a thousand`() {
        val random = Random(42)
        repeat(1_000) {
            val limit = exp(random.nextDouble(ln(40.0), ln(16_000.0)))
            val found = usual.of { it <= limit }
            withClue("limit $limit, probes ${found.levels()}") {
                found.ending shouldBe Ending.Found
                found.probes.size shouldBeLessThanOrEqual 12
                (found.capacity.shouldNotBeNull() / limit) shouldBeGreaterThan 0.95
                (found.capacity / limit) shouldBeLessThan 1.0 + 1e-9
                (found.beyond.shouldNotBeNull() / limit) shouldBeGreaterThan 1.0
            }
        }
    }

    @Test
    fun `small limits are found to the last one, because a level is a whole number`() {
        (1..40).forEach { limit ->
            val found = CapacitySearch(start = 8, lowest = 1, highest = 100).of { it <= limit }
            withClue(limit) { (limit - found.capacity.shouldNotBeNull()) / limit.toDouble() shouldBeLessThan 0.05 }
        }
    }

    @Test
    fun `where the highest level passes twice, the limit is there or higher`() {
        val found = CapacitySearch(start = 500, lowest = 10, highest = 1_500).of { true }
        found.levels() shouldContainExactly listOf(500, 1_000, 1_500, 1_500)
        found.ending shouldBe Ending.AllPassed
        found.capacity shouldBe 1_500
        found.beyond.shouldBeNull()
    }

    @Test
    fun `where the lowest level fails twice, no level passes`() {
        val found = CapacitySearch(start = 40, lowest = 10, highest = 1_500).of { false }
        found.levels() shouldContainExactly listOf(40, 20, 10, 10)
        found.ending shouldBe Ending.NonePassed
        found.capacity.shouldBeNull()
    }

    @Test
    fun `one wrong failure far below the limit is outvoted, and the search goes on from there`() {
        var disturbed = false
        val found = usual.of { level -> if (level == 1_000 && !disturbed) false.also { disturbed = true } else level <= 5_000 }
        found.ending shouldBe Ending.Found
        found.capacity.shouldNotBeNull() / 5_000.0 shouldBeGreaterThan 0.95
        found.probes.filter { it.level == 1_000 }.map { it.passed } shouldContainExactly listOf(false, true, true)
    }

    @Test
    fun `one wrong pass is outvoted too`() {
        var lucky = false
        val found = usual.of { level -> if (level == 4_000 && !lucky) true.also { lucky = true } else level <= 3_000 }
        found.ending shouldBe Ending.Found
        found.capacity.shouldNotBeNull() / 3_000.0 shouldBeGreaterThan 0.95
        found.capacity / 3_000.0 shouldBeLessThan 1.0 + 1e-9
    }

    @Test
    fun `one probe that decides nothing is repeated, and two end the search at the highest pass`() {
        var undecided = 0
        val once = usual.of { level -> if (level == 2_000 && undecided++ == 0) null else level <= 3_000 }
        once.ending shouldBe Ending.Found
        val twice = usual.of { level -> if (level >= 2_000) null else true }
        twice.levels() shouldContainExactly listOf(500, 1_000, 2_000, 2_000, 1_000)
        twice.ending shouldBe Ending.Undecided
        twice.capacity shouldBe 1_000
        usual.of { null }.capacity.shouldBeNull()
    }

    @Test
    fun `probes that contradict each other without end are too many at some time`() {
        val random = Random(1)
        val endings = (1..200).map {
            usual
                .of { random.nextBoolean() }
                .also { found ->
                    found.probes.size shouldBeLessThanOrEqual 20
                }.ending
        }
        (Ending.Unsettled in endings) shouldBe true
    }

    /** A twentieth of all probes tells the contrary at whatever level; without repeats 0.95⁹ = 63 % would be right. */
    @Test
    fun `with one probe in twenty wrong, nine of ten searches are right`() {
        val random = Random(7)
        val right = (1..2_000).count {
            val limit = exp(random.nextDouble(ln(300.0), ln(8_000.0)))
            val found = usual.of { (it <= limit) != (random.nextDouble() < 0.05) }
            found.ending == Ending.Found && found.capacity.shouldNotBeNull() / limit in 0.95..1.0 + 1e-9
        }
        right / 2_000.0 shouldBeGreaterThan 0.9
    }

    /** At the limit itself a probe passes half of the time, 3 % beside it in a tenth of all cases, as with a p99 that scatters. */
    @Test
    fun `with a soft edge, searches end within 5 percent of it nearly always, and their median is 2 percent below`() {
        val random = Random(11)
        val errors = (1..2_000).map {
            val limit = exp(random.nextDouble(ln(300.0), ln(8_000.0)))
            val found = usual.of { random.nextDouble() < 1 / (1 + exp(ln(it / limit) / 0.0137)) }
            found.capacity.shouldNotBeNull() / limit - 1
        }
        errors.count { it in -0.06..0.04 } / 2_000.0 shouldBeGreaterThan 0.95
        errors.sorted()[1_000].let {
            it shouldBeLessThan 0.0
            it shouldBeGreaterThan -0.035
        }
    }

    @Test
    fun `the same results give the same search`() {
        fun search() = Random(3).let { random -> usual.of { (it <= 2_345) != (random.nextDouble() < 0.1) }.levels() }
        search() shouldContainExactly search()
    }
}
