package clientlab.storm

import clientlab.*
import clientlab.client.*
import clientlab.testing.*
import clientlab.trial.*
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Whole storms, in this JVM, against the real server and beside a simulation of it. */
class StormTrialTest {
    private val policies = listOf(Retries.none, Retries.immediate(), Retries.exponential(), Retries.budgeted())
    private val storm = Storm(
        listOf(info("mine")),
        policies,
        service = 4.milliseconds,
        before = 3.seconds,
        during = 3.seconds,
        after = 10.seconds,
        warmUp = 2.seconds,
    )

    @Tag("long")
    @ParameterizedTest(name = "with retries {0} a storm goes as in a simulation of it")
    @ValueSource(ints = [0, 1, 2, 3])
    fun simulation(policy: Int) = compare(policy)

    @ParameterizedTest(name = "a storm goes as in a simulation of it")
    @ValueSource(ints = [1])
    fun one(policy: Int) = compare(policy)

    private fun compare(policy: Int) {
        // It has no time-out of its own.
        val trial = trial(client { conditions -> AsyncSession(conditions) }, policy)
        val ideal = Goodput(storm, simulated(storm, policies[policy], storm.seed))
        withClue(trial.reasons) { trial.outcome shouldBe Outcome.Complete }
        // A tenth of what it would be without a storm.
        val tolerance = storm.possible * storm.usual * 0.1
        withClue("${trial.metrics} and ${listOf(ideal.before, ideal.during, ideal.after, ideal.recovery)}") {
            trial.metrics.getValue("goodputBefore") shouldBe (ideal.before plusOrMinus tolerance)
            trial.metrics.getValue("goodputDuring") shouldBe (ideal.during plusOrMinus tolerance)
            trial.metrics.getValue("goodputAfter") shouldBe (ideal.after plusOrMinus tolerance)
            trial.metrics["recovered"] shouldBe if (ideal.recovery == null) 0.0 else 1.0
        }
        trial.series.shouldNotBeNull().answers.sum().toDouble() shouldBe
            trial.metrics.getValue("requests") - trial.metrics.getValue("failed")
        if (policy in 1..2) trial.metrics.getValue("attemptsPerRequest") shouldBeGreaterThan 1.5
    }

    private fun trial(client: Client, policy: Int): Trial {
        val kept = ArrayList<Trial>()
        RunningServer().use { server ->
            server.probe().use { probe ->
                val spec = TrialSpec("made", 0, storm, storm.treatments[policy], server.address)
                StormTrial(TrialScope(spec, probe, client) { kept += it }, storm).run()
            }
        }
        return kept.single()
    }
}
