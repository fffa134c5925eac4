package clientlab.run

import clientlab.Experiment
import clientlab.Treatment
import kotlin.random.Random

/** One trial to come: its key within a run. */
public data class Planned(
    val round: Int,
    val treatment: Treatment,
)

/** The order of an experiment's trials. */
public object Schedule {
    /**
     * All trials of [experiment]: round k holds every treatment once, shuffled by the experiment's seed and k.
     *
     * A round's order depends on nothing else, so that stopping early, resuming and sharding are all a question of which rounds there
     * are. Random interleaving is what keeps a drift of the machine from becoming a difference between treatments.
     */
    public fun of(experiment: Experiment): List<Planned> = (0 until experiment.forks).flatMap { round(experiment, it) }

    /** The trials of round [round]. */
    public fun round(experiment: Experiment, round: Int): List<Planned> =
        experiment.treatments.shuffled(Random(experiment.seed * PRIME + round)).map { Planned(round, it) }

    private const val PRIME = 1_000_003L
}
