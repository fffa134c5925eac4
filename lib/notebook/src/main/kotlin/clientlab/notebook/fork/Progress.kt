package clientlab.notebook.fork

import kotlin.time.Duration

/** How far a run is: [done] of [total] trials, the one that runs [now], and about how long it will take yet; or that it has [stopped] there. */
public data class Progress(
    val done: Int,
    val total: Int,
    val now: String?,
    val left: Duration,
    val invalid: Int = 0,
    val stopped: Boolean = false,
)

/** Told of a run's progress, after every trial, on the thread that runs it. */
public fun interface ProgressListener {
    public fun report(progress: Progress)
}
