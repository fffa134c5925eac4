package clientlab

import clientlab.burst.*
import clientlab.testing.*
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test

class ScheduleTest {
    private val experiment =
        Experiment("order", Burst(listOf("one", "two", "three").map { info(it) }, inFlight = listOf(100, 500)), forks = 4, seed = 42)

    @Test
    fun `every round holds every treatment once, and rounds follow each other`() {
        val planned = Schedule.of(experiment)
        planned.map { it.round } shouldBe List(4) { round -> List(6) { round } }.flatten()
        planned.groupBy { it.round }.values.forEach { round ->
            round.map { it.treatment } shouldContainExactlyInAnyOrder experiment.treatments
        }
    }

    @Test
    fun `a round depends on the seed and its number alone, not on how many forks are asked`() {
        val many = Schedule.of(experiment.copy(forks = 40, name = "other"))
        many.filter { it.round == 3 } shouldBe Schedule.of(experiment).filter { it.round == 3 }
        Schedule.round(experiment.copy(forks = 1), 39) shouldBe many.filter { it.round == 39 }
    }

    @Test
    fun `rounds differ from each other, and so do seeds`() {
        val orders = Schedule.of(experiment.copy(forks = 40)).groupBy({ it.round }, { it.treatment }).values
        orders.distinct().size shouldBeGreaterThan 30
        Schedule.of(experiment.copy(seed = 43)) shouldNotBe Schedule.of(experiment)
        Schedule.round(experiment.copy(seed = 43), 0).map { it.treatment } shouldNotBe Schedule.round(experiment, 1).map { it.treatment }
    }

    @Test
    fun `every treatment comes first in its share of the rounds`() {
        val firsts = Schedule
            .of(experiment.copy(forks = 600))
            .groupBy { it.round }
            .values
            .groupingBy { it.first().treatment }
            .eachCount()
        // 100 expected of each, with a standard deviation of 9; the seed is fixed, so this either holds or does not.
        experiment.treatments.forEach { (firsts.getValue(it) in 65..135) shouldBe true }
    }

    @Test
    fun `both names of a treatment are in every round, each as often before the other`() {
        val rounds = Schedule.of(experiment.aa().copy(forks = 400)).groupBy { it.round }.values
        rounds.forEach { round -> round.map { it.treatment } shouldContainExactlyInAnyOrder experiment.aa().treatments }
        val (once, again) = experiment.aa().treatments
        val before = rounds.count { round -> round.indexOfFirst { it.treatment == once } < round.indexOfFirst { it.treatment == again } }
        // 200 expected, with a standard deviation of 10; the seed is fixed.
        (before in 160..240) shouldBe true
    }

    @Test
    fun `the order for a seed is the golden one under every locale`() {
        underLocales {
            Schedule.of(experiment).joinToString("\n") { "${it.round} ${it.treatment.key}" } shouldBe golden("schedule-42.txt")
        }
    }
}
