package clientlab.notebook.run

import clientlab.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** The trials of a run in their order. It plans one round at a time and holds no trial, so its memory does not grow with the run. */
internal class Rounds(private val experiment: Experiment<*>, private val kept: Kept, private val listener: ProgressListener) {
    private val began = TimeSource.Monotonic.markNow()
    private val total = experiment.rounds.size * experiment.treatments.size
    private val atMost = experiment.precision != null
    private var here = 0
    private var begun = kept.size > 0
    private var bursts = Duration.ZERO
    private var burstsLeft = experiment.treatments.zip(kept.counts()).fold(Duration.ZERO) { sum, (treatment, there) ->
        sum + expected(treatment) * (experiment.rounds.size - there)
    }

    /** The number of the next trial, or of the one in progress, from 1. */
    val number: Int get() = kept.size + 1

    /** Reports that the run begins. */
    fun begin(): Unit = listener.report(progress(null))

    /**
     * Runs every missing trial in the planned order by [measure], and gives its results to [append] before the next one. Those of a duet are
     * given to [measure] together. [between] is called before the first round, with null and that round, and after each with the next, or
     * with null. Returns why the run ended if a precision is asked for.
     */
    fun run(
        append: (List<Trial>) -> Unit,
        between: (Int?, Int?) -> Unit = { _, _ -> },
        measure: (List<Planned>) -> List<List<Trial>>,
    ): String? {
        val rule = StopRule.of(experiment)
        for ((place, round) in experiment.rounds.withIndex()) {
            val missing = Schedule.round(experiment, round).filterNot { it in kept }
            if (missing.isNotEmpty() && here == 0) between(null, round)
            (if (experiment.duet) listOf(missing) else missing.map(::listOf)).filter { it.isNotEmpty() }.forEach { atOnce ->
                begun = true
                listener.report(progress(atOnce.joinToString(" and ") { "${it.treatment}" }))
                measure(atOnce).forEach { trials ->
                    append(trials)
                    kept.add(trials.last())
                    here++
                    val expected = expected(trials.last().treatment)
                    bursts += expected
                    burstsLeft -= expected
                }
            }
            if (missing.isNotEmpty()) between(round, experiment.rounds.getOrNull(place + 1))
            rule?.after(round + 1, kept)?.let { return it }
        }
        return null
    }

    /** Reports that all trials are done. */
    fun finished(): Unit = listener.report(Progress(kept.size, kept.size, null, Duration.ZERO, kept.invalid))

    /** Reports that the run was stopped. */
    fun stopped(): Unit = listener.report(progress(null).copy(left = Duration.ZERO, stopped = true))

    private fun progress(now: String?) =
        Progress(kept.size, total, now, left(), kept.invalid, atMost = atMost, experiment = experiment.name, begun = begun)

    /** What a trial of [treatment] adds to the run's time: both of a duet take as long as one. */
    private fun expected(treatment: Treatment): Duration =
        experiment.workload.expected(treatment) / (if (experiment.duet) experiment.treatments.size else 1)

    /** The expected time of the missing trials: their bursts, and the overhead that this session's trials had. */
    private fun left(): Duration {
        val beyond = if (here == 0) OVERHEAD else ((began.elapsedNow() - bursts) / here).coerceAtLeast(Duration.ZERO)
        return burstsLeft + beyond * (total - kept.size)
    }
}

private val OVERHEAD = 1200.milliseconds
