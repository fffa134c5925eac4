package clientlab.articles.workshop

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.frame.*
import clientlab.notebook.made.MadeTrials.frame
import clientlab.notebook.made.MadeTrials.trial
import clientlab.tasks.*
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

class OwnExperimentTest {
    private fun burst(clients: List<String> = listOf("one", "other"), inFlight: List<Int> = listOf(50), forks: Int = 2) =
        Experiment("mine", Burst(clients.map { ClientInfo(it, it, "a:b", "none") }, inFlight, 500.milliseconds), forks)

    private val prediction = Prediction(METRIC, more = "one", less = "other")

    @Test
    fun `one factor, two forks and a prediction of what is measured can decide a question`() {
        checkDesign(burst(), prediction).standing shouldBe Standing.Holds
        checkDesign(burst(listOf("one"), listOf(50, 100)), Prediction("threadsNew", "100", "50")).standing shouldBe Standing.Holds
        val tasks = Experiment("mine", Tasks(listOf("virtual", "pool-8"), delayMs = listOf(20)), forks = 3)
        checkDesign(tasks, Prediction("inFlightPeak", "virtual", "pool-8")).standing shouldBe Standing.Holds
    }

    @Test
    fun `without an experiment or a prediction there is nothing to judge`() {
        checkDesign(null, prediction).sentence shouldContain "mine is still null"
        checkDesign(burst(), null).sentence shouldContain "prediction is still null"
    }

    @Test
    fun `nothing that varies, and two things at once, decide nothing`() {
        wrong(checkDesign(burst(listOf("one")), prediction), "Nothing varies in mine")
        wrong(checkDesign(burst(inFlight = listOf(50, 100)), prediction), "client and inFlight vary at once")
    }

    @Test
    fun `a single fork is too few`() {
        wrong(checkDesign(burst(forks = 1), prediction), "One fork shows no scatter")
    }

    @Test
    fun `a prediction of an unknown metric, of an unknown level or of one level alone is refused`() {
        wrong(checkDesign(burst(), prediction.copy(metric = "speed")), "No trial has 'speed'")
        wrong(checkDesign(burst(), prediction.copy(more = "retrofit")), "client has one, other")
        wrong(checkDesign(burst(), prediction.copy(more = "other")), "has other on both sides")
    }

    @Test
    fun `the prediction is borne out where all forks of the one have more than any of the other`() {
        checkPrediction(forks(listOf(40.0, 50.0), listOf(0.0, 5.0)), prediction).standing shouldBe Standing.Holds
        checkPrediction(forks(listOf(40.0), listOf(0.0)), prediction).standing shouldBe Standing.Holds
    }

    @Test
    fun `the other way round, and forks that overlap, are told apart`() {
        wrong(checkPrediction(forks(listOf(0.0, 5.0), listOf(40.0, 50.0)), prediction), "the other way round")
        wrong(checkPrediction(forks(listOf(5.0, 50.0), listOf(0.0, 6.0)), prediction), "overlap in connectionsOpened")
        wrong(checkPrediction(forks(listOf(5.0, 5.0), listOf(5.0, 5.0)), prediction), "overlap in connectionsOpened")
    }

    @Test
    fun `invalid trials, and a metric that no trial has, are said before the prediction is judged`() {
        val failed =
            forks(listOf(40.0), listOf(0.0)) + trial("one", 50, round = 1, outcome = Outcome.Invalid, reasons = listOf("It ended."))
        wrong(checkPrediction(failed, prediction), "1 trial is invalid")
        checkPrediction(forks(listOf(40.0), listOf(0.0)), prediction.copy(metric = "cpuSeconds")).sentence shouldContain
            "No trial of one has cpuSeconds"
        checkPrediction(null, prediction).sentence shouldContain "trials is still null"
    }

    private fun forks(one: List<Double>, other: List<Double>): List<Trial> =
        listOf("one" to one, "other" to other).flatMap { (client, values) ->
            values.mapIndexed { round, value -> trial(client, 50, round, metrics = mapOf(METRIC to value)) }
        }

    private fun checkPrediction(trials: List<Trial>, prediction: Prediction?) = checkPrediction(frame(*trials.toTypedArray()), prediction)

    private companion object {
        const val METRIC = "connectionsOpened"
    }
}
