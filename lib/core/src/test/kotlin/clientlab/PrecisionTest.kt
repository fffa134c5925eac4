package clientlab

import clientlab.burst.*
import clientlab.idle.*
import clientlab.testing.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

class PrecisionTest {
    private val burst = Burst(listOf(info("one"), info("two")), inFlight = listOf(100))
    private val experiment = Experiment("narrow", burst, precision = 2.percent)

    private fun refusal(action: () -> Any) = shouldThrow<LabException> { action() }.message.orEmpty()

    @Test
    fun `two per cent is a precision, also of another metric`() {
        2.percent shouldBe Precision(2.0)
        0.5.percent shouldBe Precision(0.5)
        (2.percent of "latencyP50Ms") shouldBe Precision(2.0, "latencyP50Ms")
    }

    @ParameterizedTest
    @ValueSource(doubles = [0.0, -2.0, 100.0, 250.0])
    fun `a precision that nothing could have is refused`(percent: Double) {
        val text = if (percent == percent.toInt().toDouble()) "${percent.toInt()}" else "$percent"
        refusal { Precision(percent) } shouldBe
            "A precision of $text % is impossible: write more than 0 and less than 100, as in 2.percent."
    }

    @Test
    fun `a precision that is no number is refused`() {
        listOf(Double.NaN, Double.POSITIVE_INFINITY).forEach {
            refusal { Precision(it) } shouldStartWith "A precision of $it % is impossible"
        }
    }

    @Test
    fun `without a budget a run has at most forty rounds, or as many as it has at least`() {
        experiment.mostForks shouldBe 40
        experiment.copy(forks = 60).mostForks shouldBe 60
        experiment.copy(maxForks = 25).mostForks shouldBe 25
        experiment.copy(precision = null, forks = 7).mostForks shouldBe 7
        Schedule.of(experiment.copy(maxForks = 12)).size shouldBe 24
    }

    @Test
    fun `a budget below the fewest rounds, or above what a run may have, is refused`() {
        refusal { experiment.copy(forks = 20, maxForks = 19) } shouldBe
            "maxForks is 19 and forks is 20; a run has at least forks rounds and at most maxForks, which is up to 1000."
        refusal { experiment.copy(maxForks = 1001) } shouldContain "up to 1000"
    }

    @Test
    fun `a budget that ends before the first look is refused`() {
        refusal { experiment.copy(maxForks = 9) } shouldBe
            "maxForks is 9; intervals are first looked at after 10 rounds, so a precision needs as many."
        experiment.copy(maxForks = 10).mostForks shouldBe 10
    }

    @Test
    fun `a budget without a precision is refused`() {
        refusal { experiment.copy(precision = null, maxForks = 40) } shouldBe
            "maxForks is the budget of a precision: add precision = 2.percent, or ask for forks = 40."
    }

    @Test
    fun `a metric that the workload does not have is refused with those it has`() {
        val sentence = refusal { experiment.copy(precision = 2.percent of "iterationMedianMs") }
        sentence shouldStartWith
            "No trial of this workload has the metric 'iterationMedianMs', so no precision can be asked of it; it has requests, "
        sentence shouldContain "durationMs"
        refusal { experiment.copy(precision = 2.percent of "duration") } shouldContain "'duration'"
        experiment.copy(precision = 2.percent of "latencyP99Ms").precision shouldBe Precision(2.0, "latencyP99Ms")
    }

    @Test
    fun `each workload has a metric of its own to look at`() {
        2.percent.metricOf(burst) shouldBe "durationMs"
        val residents = IdleTasks(listOf(10))
        2.percent.metricOf(residents) shouldBe "memoryGrowthBytes"
        Experiment("memory", residents, precision = 2.percent).mostForks shouldBe 40
        Experiment("memory", residents, precision = 2.percent of "rssBytes").mostForks shouldBe 40
    }

    @Test
    fun `a smoke run asks for no precision`() {
        experiment.copy(maxForks = 30).smoke() shouldBe Experiment("narrow", burst.smoke(), forks = 1)
    }

    @Test
    fun `an experiment with a precision is read back as it was, and one without says nothing of it`() {
        val asked = experiment.copy(precision = 2.percent of "latencyP50Ms", maxForks = 30)
        ExperimentJson.decodeFromString<Experiment<Workload>>(ExperimentJson.encodeToString<Experiment<Workload>>(asked)) shouldBe asked
        val plain = ExperimentJson.encodeToString<Experiment<Workload>>(experiment.copy(precision = null))
        plain shouldNotContain "precision"
        plain shouldNotContain "maxForks"
    }
}
