package clientlab.notebook.run

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The progress of a run: [done] of [total] trials, the one that runs [now], and about how much time is [left], at most if [atMost]; or that
 * it [stopped] there. [begun] says whether any trial has begun, in an earlier part of the run too.
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

/** Receives a run's progress after every trial, on the run's thread. */
public fun interface ProgressListener {
    public fun report(progress: Progress)
}

/** Prints a line of progress from time to time. */
internal class ProgressLines : ProgressListener {
    private var last = TimeSource.Monotonic.markNow() - EVERY

    override fun report(progress: Progress) {
        if (last.elapsedNow() < EVERY) return
        last = TimeSource.Monotonic.markNow()
        val (done, total, now, left) = progress
        println("  $done of $total trials, ${now ?: "starting the server"}, about ${left.inWholeSeconds} s left")
    }
}

/** One line of a terminal, with a bar, that is written again and again; where there is no terminal, a line from time to time. */
internal class ProgressBar(private val isTerminal: Boolean) : ProgressListener {
    private val lines = ProgressLines()

    override fun report(progress: Progress) {
        if (!isTerminal) return lines.report(progress)
        val done = if (progress.total == 0) 0 else WIDTH * progress.done / progress.total
        val text = "[${"#".repeat(done)}${".".repeat(WIDTH - done)}] ${ProgressDisplay.sentence(progress)}"
        print("\r\u001b[K$text" + if (progress.done == progress.total) "\n" else "")
        System.out.flush()
    }

    private companion object {
        private const val WIDTH = 20
    }
}

private val EVERY = 15.seconds
