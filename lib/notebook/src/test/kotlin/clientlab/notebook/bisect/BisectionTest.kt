package clientlab.notebook.bisect

import clientlab.notebook.catalogue.*
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class BisectionTest {
    private fun step(release: String, answer: String, vararg batches: Double): Step {
        val votes = Votes().apply { batches.forEach { _ -> add(answer) } }
        return Step(Candidate(release) { clients("okhttp").single() }, votes, mapOf("batches" to batches.toList()))
    }

    private fun found(change: Change?, vararg steps: Step) = Bisection("batches", steps.toList(), change, steps.map { it.candidate })

    @Test
    fun `a change is named with the metric on both sides`() {
        val sides = arrayOf(step("one", "true", 5.0, 5.0, 5.0, 5.0, 5.0, 6.0), step("two", "false", 1.0, 1.0, 1.0, 1.0, 1.0, 1.0))
        val bisection = found(Change(0, 1), *sides)
        bisection.culprit.toString() shouldBe "two"
        bisection.finding shouldBe "batches changes with two. Before it: true, in 6 of 6 forks; batches 5 [5, 5.50]. " +
            "Since then: false, in 6 of 6 forks; batches 1 [1, 1]."
    }

    @Test
    fun `a change whose sides chance could make is no culprit`() {
        val bisection = found(Change(0, 1), step("one", "true", 5.0, 5.0, 5.0), step("two", "false", 1.0, 1.0, 1.0))
        bisection.culprit.shouldBeNull()
        bisection.before.shouldBeNull()
        bisection.finding shouldBe
            "No culprit: batches of one and of two differs by no more than chance (Fisher's exact test, p = 0.10). " +
            "one: true, in 3 of 3 forks; batches 5 [5, 5]. two: false, in 3 of 3 forks; batches 1 [1, 1]."
    }

    @Test
    fun `ends that answer the same have none`() {
        val bisection = found(null, step("one", "true", 5.0, 5.0, 5.0), step("two", "true", 5.0, 5.0, 5.0))
        bisection.culprit.shouldBeNull()
        bisection.finding shouldBe "No culprit: batches is the same at both ends, and what lies between was not asked. " +
            "one: true, in 3 of 3 forks; batches 5 [5, 5]. two: true, in 3 of 3 forks; batches 5 [5, 5]."
    }
}
