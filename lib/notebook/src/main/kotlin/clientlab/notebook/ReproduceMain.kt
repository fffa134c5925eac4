package clientlab.notebook

import clientlab.notebook.fork.Progress
import clientlab.notebook.fork.ProgressListener
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** The main of `./lab reproduce`: runs the experiment of a run once more, and fails where what it finds differs. */
public fun main(arguments: Array<String>) {
    try {
        val reproduction = reproduce(arguments.single(), Lines())
        println(reproduction)
        if (!reproduction.holds) exitProcess(1)
    } catch (refused: LabException) {
        System.err.println("lab: ${refused.message}")
        exitProcess(1)
    }
}

/** A line of progress every now and then. */
private class Lines : ProgressListener {
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
