package clientlab

import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** One trial to come: its key within a run. */
public data class Planned(val round: Int, val treatment: Treatment)

/** The order of an experiment's trials, and the times of a load's requests. */
public object Schedule {
    /**
     * All trials that a run of [experiment] may have: round k holds every treatment once, shuffled by the experiment's seed and k.
     *
     * A round's order depends on nothing else, so stopping early, resuming and sharding only change which rounds there are. The random
     * order keeps a drift of the machine from becoming a difference between treatments.
     */
    public fun of(experiment: Experiment<*>): List<Planned> = experiment.rounds.flatMap { round(experiment, it) }

    /** The trials of round [round]. */
    public fun round(experiment: Experiment<*>, round: Int): List<Planned> =
        experiment.treatments.shuffled(Random(experiment.seed * PRIME + round)).map { Planned(round, it) }

    /**
     * When the requests of a load are planned, in nanoseconds since its start: [rate] a second for [length].
     *
     * At equal distances without a [seed], and at random with one; the number of requests is the same. Given their number, the arrivals
     * of a Poisson process are distributed uniformly (S. Ross, *Introduction to Probability Models*).
     */
    public fun arrivals(rate: Int, length: Duration, seed: Long?): LongArray {
        val requests = (rate * length.toDouble(DurationUnit.SECONDS)).toInt().coerceAtLeast(1)
        if (seed == null) return LongArray(requests) { it * NANOS / rate }
        val random = Random(seed)
        return LongArray(requests) { random.nextLong(length.inWholeNanoseconds) }.apply { sort() }
    }

    private const val NANOS = 1_000_000_000L
    private const val PRIME = 1_000_003L
}
