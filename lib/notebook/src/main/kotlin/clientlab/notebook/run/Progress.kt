package clientlab.notebook.run

import kotlin.time.Duration

/**
 * How far a run is: [done] of [total] trials, the one that runs [now], and about how long is [left]; or that it [stopped] there.
 *
 * @property experiment the name of the experiment.
 * @property begun whether a trial has begun, in this run or in the part of it that was made before.
 * @property atMost whether [total] and [left] are the most that may come, since the run ends when it knows enough.
 */
public data class Progress(
    val done: Int,
    val total: Int,
    val now: String?,
    val left: Duration,
    val invalid: Int = 0,
    val stopped: Boolean = false,
    val atMost: Boolean = false,
    val experiment: String = "",
    val begun: Boolean = true,
)

/** Told of a run's progress, after every trial, on the thread that runs it. */
public fun interface ProgressListener {
    public fun report(progress: Progress)
}
