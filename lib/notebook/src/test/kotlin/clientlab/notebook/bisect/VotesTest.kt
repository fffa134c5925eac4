package clientlab.notebook.bisect

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.random.Random

class VotesTest {
    private fun votes(vararg answers: String) = Votes().apply { answers.forEach(::add) }

    @Test
    fun `an answer stands when it is three forks ahead`() {
        votes("true", "true").decided.shouldBeNull()
        votes("true", "true", "true").decided shouldBe "true"
        votes("true", "true", "false", "true").decided.shouldBeNull()
        votes("true", "true", "false", "true", "true").toString() shouldBe "true, in 4 of 5 forks"
        votes("true", "true", "false", "true", "true").decided shouldBe "true"
    }

    @Test
    fun `forks that cannot answer say why, and are not asked for ever`() {
        val mute = Votes().apply { none("NoSuchMethodError") }
        mute.isMute shouldBe true
        "$mute" shouldBe "no fork answers: NoSuchMethodError"
        mute.apply { add("true") }.isMute shouldBe false
    }

    @Test
    fun `two ends differ where chance would hardly do that, and not before`() {
        val (five, six) = listOf(5, 6).map { forks -> votes(*Array(forks) { "true" }) to votes(*Array(forks) { "false" }) }
        (five.first.byChance(five.second) < Votes.CHANCE) shouldBe false
        (six.first.byChance(six.second) < Votes.CHANCE) shouldBe true
        six.first.byChance(six.first) shouldBe 1.0
        votes("true").byChance(six.second) shouldBe 1.0
    }

    @Test
    fun `two ends whose forks answer at random have a culprit in fewer than one of fifty bisections`() {
        val random = Random(7)
        val culprits = (0 until 10_000).count {
            val ends = List(2) { Votes() }
            for (run in 0 until 5) {
                val open = ends.filter { it.decided == null }.ifEmpty { if (ends[0].decided == ends[1].decided) emptyList() else ends }
                open.forEach { votes -> repeat(Votes.LEAD) { votes.add("${random.nextBoolean()}") } }
                if (open.isEmpty() || ends[0].byChance(ends[1]) < Votes.CHANCE) break
            }
            ends[0].byChance(ends[1]) < Votes.CHANCE
        }
        (culprits < 200) shouldBe true
    }

    @Test
    fun `with forks that are right in nine of ten cases hardly one decision in a hundred is wrong`() {
        val random = Random(42)
        val decisions = List(10_000) {
            Votes().apply { while (decided == null) add("${random.nextInt(10) > 0}") }.decided
        }
        (decisions.count { it == "false" } < 40) shouldBe true
    }
}
