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
    fun `with forks that are right in nine of ten cases hardly one decision in a hundred is wrong`() {
        val random = Random(42)
        val decisions = List(10_000) {
            Votes().apply { while (decided == null) add("${random.nextInt(10) > 0}") }.decided
        }
        (decisions.count { it == "false" } < 40) shouldBe true
    }
}
