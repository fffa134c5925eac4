package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.run.MadeRun.duet
import clientlab.notebook.run.MadeRun.each
import clientlab.notebook.run.MadeRun.experiment
import clientlab.notebook.run.MadeRun.measured
import clientlab.notebook.run.MadeRun.whole
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import kotlin.time.Duration

class RoundsTest {
    private val asked = experiment("one", "two", "three", forks = 4)
    private val plan = Schedule.of(asked)
    private val told = mutableListOf<Progress>()
    private val appended = mutableListOf<Planned>()

    private fun kept(experiment: Experiment<*>, trials: List<Planned>) = Kept(experiment).apply { trials.forEach { add(measured(it)) } }

    private fun run(
        experiment: Experiment<*>,
        kept: Kept = Kept(experiment),
        outcome: (Planned) -> Outcome = { Outcome.Complete },
        durationMs: (Planned) -> Double? = { 100.0 },
    ): String? =
        Rounds(experiment, kept, told::add).run(
            { trials -> appended += trials.last().let { Planned(it.round, it.treatment) } },
            measure = each { whole(it, durationMs(it), outcome(it)) },
        )

    @Test
    fun `all trials are run in the planned order`() {
        run(asked) shouldBe null
        appended shouldBe plan
    }

    @Test
    fun `wherever a run was cut, the missing trials are run in the planned order and no other`() {
        (0..plan.size).forEach { there ->
            appended.clear()
            withClue("$there trials were there") {
                run(asked, kept(asked, plan.take(there))) shouldBe null
                appended shouldBe plan.drop(there)
            }
        }
    }

    @Test
    fun `between rounds something may be done, before the first that has a missing trial and after each`() {
        val between = mutableListOf<Pair<Int?, Int?>>()
        Rounds(
            asked,
            kept(asked, plan.take(4)),
            told::add,
        ).run({ }, { after, before -> between += after to before }, each { whole(it, 100.0) })
        between shouldBe listOf(null to 1, 1 to 2, 2 to 3, 3 to null)
    }

    @Test
    fun `trials that are missing in the midst are run too`() {
        val missing = listOf(plan[1], plan[5], plan[11])
        run(asked, kept(asked, plan - missing.toSet()))
        appended shouldBe missing
    }

    @Test
    fun `an invalid trial is kept and not run again`() {
        val kept = Kept(asked).apply { add(measured(plan[0], null, Outcome.Invalid)) }
        run(asked, kept)
        appended shouldBe plan.drop(1)
        kept.invalid shouldBe 1
        kept.size shouldBe plan.size
    }

    @Test
    fun `what is handed over is a trial with its warm-up, before the next begins`() {
        val seen = mutableListOf<String>()
        Rounds(asked, Kept(asked), {}).run(
            { trials -> seen += "kept " + trials.map { it.warmup } },
            measure = each { planned -> whole(planned).also { seen += "ran" } },
        )
        seen shouldBe List(plan.size) { listOf("ran", "kept [true, false]") }.flatten()
    }

    @Test
    fun `a trial that could not be kept ends the run, and does not count as there`() {
        val kept = Kept(asked)
        val rounds = Rounds(asked, kept, told::add)
        shouldThrow<LabException> {
            rounds.run({ if (kept.size == 2) throw LabException("No room.") }, measure = each { whole(it) })
        }.message shouldBe "No room."
        kept.size shouldBe 2
        rounds.number shouldBe 3
    }

    @Test
    fun `a trial that is there twice, or was never asked for, is refused`() {
        val kept = kept(asked, plan.take(1))
        shouldThrow<LabException> { kept.add(measured(plan[0])) }.message.orEmpty() shouldStartWith
            "The journal holds round 0 of ${plan[0].treatment} twice"
        val other = experiment("four").treatments.single()
        listOf(Planned(0, other), Planned(4, plan[0].treatment)).forEach { strange ->
            shouldThrow<LabException> { kept.add(measured(strange)) }.message shouldBe
                "The journal holds a trial that its manifest does not ask for: round ${strange.round} of ${strange.treatment}."
        }
    }

    @Test
    fun `progress goes on from what was there`() {
        val rounds = Rounds(asked, kept(asked, plan.take(5)), told::add)
        rounds.begin()
        rounds.run({}, measure = each { whole(it) })
        rounds.finished()
        told.map { it.done } shouldBe listOf(5) + (5..11) + 12
        told.last() shouldBe Progress(12, 12, null, Duration.ZERO, 0)
        told.first().left shouldNotBe Duration.ZERO
        told.any { it.atMost } shouldBe false
    }

    @Test
    fun `both trials of a duet are measured together, and each is kept`() {
        val duet = duet(forks = 2)
        val together = mutableListOf<List<Planned>>()
        val rounds = Rounds(duet, kept(duet, Schedule.of(duet).take(3)), told::add)
        rounds.begin()
        Rounds(duet, Kept(duet), told::add).run({}, measure = { planned ->
            planned.map { whole(it) }.also { together += planned }
        }) shouldBe
            null
        together shouldBe Schedule.of(duet).chunked(2)
        told.map { it.done } shouldBe listOf(3, 0, 2)
        told.last().now shouldBe together[1].joinToString(" and ") { "${it.treatment}" }
        withClue("both take as long as one") { told[0].left shouldBe told[1].left / 4 }
    }

    @Test
    fun `what is missing of a torn duet is measured without the other`() {
        val duet = duet(forks = 2)
        val together = mutableListOf<List<Planned>>()
        val kept = kept(duet, Schedule.of(duet).take(1))
        Rounds(duet, kept, told::add).run({}, measure = { planned -> planned.map { whole(it) }.also { together += planned } })
        together.map { it.size } shouldBe listOf(1, 2)
    }

    private val narrow = experiment("one", "two").copy(precision = 2.percent, maxForks = 40)

    @Test
    fun `values that do not differ are enough at the first look, which is the next multiple of five from forks on`() {
        run(narrow) shouldBe "After 10 rounds: every interval of durationMs is within 2 % of its median."
        appended shouldBe Schedule.of(narrow).take(20)
        run(narrow.copy(forks = 17)) shouldBe "After 20 rounds: every interval of durationMs is within 2 % of its median."
    }

    @Test
    fun `one treatment that is not known keeps whole rounds of all going`() {
        // The second client scatters by 10 % in its first 20 rounds, and then not at all.
        val why = run(narrow) { if (it.treatment.client == "two" && it.round < 20) 100.0 + 10 * (it.round % 2) else 100.0 }
        why shouldBe "After 35 rounds: every interval of durationMs is within 2 % of its median."
        appended.groupBy { it.round }.values.forEach { it.size shouldBe 2 }
    }

    @Test
    fun `a budget that is spent names those that are not there, and how far they are`() {
        run(narrow) { if (it.treatment.client == "two") 100.0 + 10 * (it.round % 2) else 100.0 } shouldBe
            "The budget of 40 rounds is spent: two is at 4.8 %."
        appended.size shouldBe 80
    }

    @Test
    fun `a treatment that is invalid too often is not known`() {
        run(narrow, outcome = { if (it.treatment.client == "one" && it.round > 3) Outcome.Invalid else Outcome.Complete }) shouldBe
            "The budget of 40 rounds is spent: one has durationMs in 4 trials that count."
    }

    @Test
    fun `waves count where nothing is complete, and not beside what is`() {
        run(narrow, outcome = { Outcome.Wave }) shouldBe "After 10 rounds: every interval of durationMs is within 2 % of its median."
        val mixed = { planned: Planned -> if (planned.round % 2 == 0) Outcome.Wave else Outcome.Complete }
        run(narrow, outcome = mixed) { if (it.round % 2 == 0) 900.0 + it.round else 100.0 } shouldBe
            "After 10 rounds: every interval of durationMs is within 2 % of its median."
    }

    @Test
    fun `a metric that no trial has ends the run at the first look`() {
        run(narrow.copy(precision = 2.percent of "queuedP50Ms")) shouldBe
            "After 10 rounds: no trial has queuedP50Ms, and more of them would not either."
    }

    @Test
    fun `wherever a run with a precision was killed, it ends after the same round for the same reason`() {
        fun value(planned: Planned) = 100.0 + (planned.round * 7 % 11) * if (planned.round < 12) 1.0 else 0.1
        val undisturbed = run(narrow) { value(it) }
        val all = appended.toList()
        (0..all.size).forEach { there ->
            appended.clear()
            val kept = Kept(narrow).apply { all.take(there).forEach { add(measured(it, value(it))) } }
            run(narrow, kept) { value(it) } shouldBe undisturbed
            appended shouldBe all.drop(there)
        }
        withClue("the example stops neither at the first look nor by its budget") { (all.size in 30..70) shouldBe true }
    }

    @Test
    fun `where the number of rounds is not known, progress counts them as the most`() {
        val rounds = Rounds(narrow, Kept(narrow), told::add)
        rounds.run({}, measure = each { whole(it) })
        rounds.finished()
        told.dropLast(1).all { it.total == 80 && it.atMost } shouldBe true
        told.last() shouldBe Progress(20, 20, null, Duration.ZERO, 0)
    }

    @Test
    fun `the rule is one sentence with all its numbers`() {
        StopRule.of(narrow)?.sentence shouldBe
            "Whole rounds are added until both ends of the 95 % interval of the median of durationMs are within 2 % of it in every " +
            "treatment; that is looked at after 10 rounds and then after every 5 more, up to 40 rounds."
        StopRule.of(asked) shouldBe null
    }
}
