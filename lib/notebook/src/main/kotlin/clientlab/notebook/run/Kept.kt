package clientlab.notebook.run

import clientlab.Experiment
import clientlab.LabException
import clientlab.Outcome
import clientlab.Planned
import clientlab.Treatment
import clientlab.Trial
import java.util.BitSet

/**
 * Which trials of a run are in its journal, and of a run with a precision the numbers that it looks at.
 *
 * A bit a trial, and where there is a precision two numbers, all of it made at the start: a run of ten thousand trials takes no more memory
 * at its end than at its beginning.
 */
internal class Kept(private val experiment: Experiment) {
    private val treatments: List<Treatment> = experiment.treatments
    private val places: Map<Treatment, Int> = treatments.withIndex().associate { (place, treatment) -> treatment to place }
    private val there = BitSet(experiment.mostForks * treatments.size)
    private val metric: String? = experiment.precision?.metricOf(experiment.workload)
    private val complete = numbers()
    private val waves = numbers()

    /** How many trials there are, and how many of them are invalid. */
    val size: Int get() = there.cardinality()
    var invalid: Int = 0
        private set

    operator fun contains(planned: Planned): Boolean = there[bit(planned.round, places.getValue(planned.treatment))]

    /** Adds a measured trial; refuses one that was never planned, and one that is there already. */
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

    /** How many trials of each treatment there are, in the order of the experiment. */
    fun counts(): List<Int> = treatments.indices.map { place -> (0 until experiment.mostForks).count { there[bit(it, place)] } }

    /**
     * The numbers of the treatment at [place] in the first [rounds] rounds, one a trial that counts: complete ones, or the waves where none
     * is complete, as in every table.
     */
    fun values(place: Int, rounds: Int): List<Double> = complete[place].first(rounds).ifEmpty { waves[place].first(rounds) }

    private fun DoubleArray.first(rounds: Int): List<Double> = (0 until rounds).map(::get).filterNot(Double::isNaN)

    private fun numbers() = if (metric == null) emptyList() else List(treatments.size) { DoubleArray(experiment.mostForks) { Double.NaN } }

    private fun bit(round: Int, place: Int) = round * treatments.size + place
}
