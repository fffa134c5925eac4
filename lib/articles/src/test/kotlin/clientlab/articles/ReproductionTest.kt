package clientlab.articles

import clientlab.notebook.journal.*
import clientlab.notebook.reproduction.*
import clientlab.notebook.stats.*
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** A reproduction of an article's run, compared by the article's own claims. */
class ReproductionTest {
    @Test
    fun `a published run agrees with itself in every claim that rests on it`() {
        val earlier = RunFolder.published("threads", "2026-11e")
        val same = Reproductions.compare(earlier, earlier)
        same.rows.map { it.claim } shouldContain "threads.blocking"
        same.rows.filter { it.agreement == Agreement.Differs }.shouldBeEmpty()
        same.holds shouldBe true
    }
}
