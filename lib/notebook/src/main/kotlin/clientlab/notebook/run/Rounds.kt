package clientlab.notebook.run

import clientlab.Experiment
import clientlab.Planned
import clientlab.Schedule
import clientlab.Trial
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * The trials of a run one after another: which of them are still to come, who is told of them, and when they are enough.
 *
 * It plans a round at a time and holds no trial, so that what it needs does not grow with the run.
 */
internal class Rounds(
    private val experiment: Experiment,
    private val kept: Kept,
    private val listener: ProgressListener,
) {
    private val began = TimeSource.Monotonic.markNow()
    private val total = experiment.rounds.size * experiment.treatments.size
    private val atMost = experiment.precision != null
    private var here = 0
    private var begun = kept.size > 0
    private var bursts = Duration.ZERO
    private var burstsLeft =
        experiment.treatments.zip(kept.counts()).fold(Duration.ZERO) { sum, (treatment, there) ->
            sum + experiment.workload.expected(treatment) * (experiment.rounds.size - there)
        }

    /** The number of the trial that comes next, or is going on, from 1. */
    val number: Int get() = kept.size + 1

    /** Tells that the run begins. */
    fun begin(): Unit = listener.report(progress(null))

    /**
     * Runs every trial that is not kept yet, in the planned order, by [trial], and hands what came of each to [append] before the next.
     *
     * Returns why it ended after that round, where a precision is asked for, and null otherwise.
     */
    fun run(append: (List<Trial>) -> Unit, trial: (Planned) -> List<Trial>): String? {
        val rule = StopRule.of(experiment)
        for (round in experiment.rounds) {
            Schedule.round(experiment, round).filterNot { it in kept }.forEach { planned ->
                begun = true
                listener.report(progress(planned.treatment.toString()))
                val trials = trial(planned)
                append(trials)
                kept.add(trials.last())
                here++
                val expected = experiment.workload.expected(planned.treatment)
                bursts += expected
                burstsLeft -= expected
            }
            rule?.after(round + 1, kept)?.let { return it }
        }
        return null
    }

    /** Tells that all trials have been run. */
    fun finished(): Unit = listener.report(Progress(kept.size, kept.size, null, Duration.ZERO, kept.invalid))

    /** Tells that the run ended before its time. */
    fun stopped(): Unit = listener.report(progress(null).copy(left = Duration.ZERO, stopped = true))

    private fun progress(now: String?) =
        Progress(kept.size, total, now, left(), kept.invalid, atMost = atMost, experiment = experiment.name, begun = begun)

    /** What the trials to come should take: their bursts, and beside them what those of this session took beyond theirs. */
    private fun left(): Duration {
        val beyond = if (here == 0) OVERHEAD else ((began.elapsedNow() - bursts) / here).coerceAtLeast(Duration.ZERO)
        return burstsLeft + beyond * (total - kept.size)
    }

    private companion object {
        private val OVERHEAD = 1200.milliseconds
    }
}
