package clientlab.notebook.bisect

import clientlab.*
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
    fun `a fork that hangs answers, and one that is invalid for another reason does not`() {
        fun invalid(why: String) = Trial.invalid("made", 0, Treatment(), why)
        val hangs = Votes()
        repeat(3) { hangs.count(invalid("The trial had not ended after 1m 10.8s and was ended.")) { error("it was asked") } }
        hangs.decided shouldBe "it hangs"
        val none = Votes().apply { count(invalid("The fork ended with code 1 before it had measured.")) { error("it was asked") } }
        "$none" shouldBe "no fork answers: The fork ended with code 1 before it had measured"
        val complete = Trial("made", 0, Treatment(), warmup = false, outcome = Outcome.Complete)
        val unseen = Votes().apply { count(complete) { throw NotSeen("this fork has no batches") } }
        "$unseen" shouldBe "no fork answers: this fork has no batches"
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
