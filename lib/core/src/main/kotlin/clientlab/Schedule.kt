package clientlab

import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** One trial to come: its key within a run. */
public data class Planned(val round: Int, val treatment: Treatment)

/** The order of an experiment's trials, and the times of a load's requests. */
public object Schedule {
    /** All trials that a run may have, round by round. */
    public fun of(experiment: Experiment<*>): List<Planned> = experiment.rounds.flatMap { round(experiment, it) }

    /**
     * The trials of round [round]: every treatment once, shuffled by the experiment's seed and the round alone, so that stopping early,
     * resuming and sharding change no order. The shuffle keeps a drift of the machine from becoming a difference between treatments.
     */
    public fun round(experiment: Experiment<*>, round: Int): List<Planned> =
        experiment.treatments.shuffled(Random(experiment.seed * PRIME + round)).map { Planned(round, it) }

    /**
     * When the requests of a load are planned, in nanoseconds since its start: [rate] a second for [length], at equal distances without a
     * [seed] and at random with one. Arrivals of a Poisson process, given their number, are uniform (S. Ross, *Introduction to Probability
     * Models*).
     */
    public fun arrivals(rate: Int, length: Duration, seed: Long?): LongArray {
        val requests = (rate * length.toDouble(DurationUnit.SECONDS)).toInt().coerceAtLeast(1)
        if (seed == null) return LongArray(requests) { it * NANOS / rate }
        val random = Random(seed)
        return LongArray(requests) { random.nextLong(length.inWholeNanoseconds) }.apply { sort() }
    }

    /** Shares from 0 to 1, drawn evenly, always the same from one [seed]. For one thread. */
    internal fun shares(seed: Long): () -> Double = Random(seed)::nextDouble

    private const val NANOS = 1_000_000_000L
    private const val PRIME = 1_000_003L
}
