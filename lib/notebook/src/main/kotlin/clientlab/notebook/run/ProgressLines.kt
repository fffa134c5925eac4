package clientlab.notebook.run

import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Prints a line of progress from time to time. */
internal class ProgressLines : ProgressListener {
    private var last = TimeSource.Monotonic.markNow() - EVERY

    override fun report(progress: Progress) {
        if (last.elapsedNow() < EVERY) return
        last = TimeSource.Monotonic.markNow()
        println(
            "  ${progress.done} of ${progress.total} trials, ${progress.now ?: "starting the server"}, about ${progress.left.inWholeSeconds} s left",
        )
    }

    private companion object {
        val EVERY = 15.seconds
    }
}
