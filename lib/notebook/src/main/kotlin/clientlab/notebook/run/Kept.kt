package clientlab.notebook.run

import clientlab.*
import java.util.BitSet

/**
 * The trials of a run that are in its journal: one bit per trial, and if there is a precision the two numbers that its rule reads. All of
 * it is allocated at the start, so a long run's memory does not grow.
 */
internal class Kept(private val experiment: Experiment<*>) {
    private val treatments: List<Treatment> = experiment.treatments
    private val places: Map<Treatment, Int> = treatments.withIndex().associate { (place, treatment) -> treatment to place }
    private val there = BitSet(experiment.mostForks * treatments.size)
    private val metric: String? = experiment.precision?.metricOf(experiment.workload)
    private val complete = numbers()
    private val waves = numbers()

    /** The number of trials, and how many of them are invalid. */
    val size: Int get() = there.cardinality()
    var invalid: Int = 0
        private set

    operator fun contains(planned: Planned): Boolean = there[bit(planned.round, places.getValue(planned.treatment))]

    /** Adds a measured trial. Refuses a trial that was never planned or is there already. */
    fun add(trial: Trial) {
        val place = places[trial.treatment]
        if (place == null || trial.round !in experiment.rounds) {
            throw LabException("The journal holds a trial that its manifest does not ask for: round ${trial.round} of ${trial.treatment}.")
        }
        val bit = bit(trial.round, place)
        if (there[bit]) throw LabException("The journal holds round ${trial.round} of ${trial.treatment} twice, which no run writes.")
        there.set(bit)
        if (trial.outcome == Outcome.Invalid) invalid++
        val value = metric?.let { trial.metrics[it] } ?: return
        if (trial.outcome == Outcome.Complete) complete[place][trial.round] = value
        if (trial.outcome == Outcome.Wave) waves[place][trial.round] = value
    }

    /** The number of trials per treatment, in the order of the experiment. */
    fun counts(): List<Int> = treatments.indices.map { place -> (0 until experiment.mostForks).count { there[bit(it, place)] } }

    /** The numbers of the treatment at [place] in the first [rounds] rounds: of complete trials, or of waves if none is complete. */
    fun values(place: Int, rounds: Int): List<Double> = complete[place].first(rounds).ifEmpty { waves[place].first(rounds) }

    private fun DoubleArray.first(rounds: Int): List<Double> = (0 until rounds).map(::get).filterNot(Double::isNaN)

    private fun numbers() = if (metric == null) emptyList() else List(treatments.size) { DoubleArray(experiment.mostForks) { Double.NaN } }

    private fun bit(round: Int, place: Int) = round * treatments.size + place
}
