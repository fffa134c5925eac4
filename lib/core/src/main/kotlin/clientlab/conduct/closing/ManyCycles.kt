package clientlab.conduct.closing

import clientlab.conduct.scene.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** What is left behind once in a hundred cycles rises with each hundred; what is left once does not. */
internal val manyCycles = Situation(
    "closing.many-cycles",
    "Three times a hundred times the caller opens a session, sends one request and closes the session.",
) {
    val server = server {
        while (true) {
            receive()
            answer()
        }
    }
    repeat(WARM) { cycle(server) }
    val counts = mutableListOf(ProcessCounts.settled())
    repeat(BLOCKS) {
        val began = TimeSource.Monotonic.markNow()
        repeat(CYCLES) {
            if (began.elapsedNow() < MOST &&
                ProcessCounts.read().descriptors < counts.first().descriptors + MOST_LEFT
            ) {
                cycle(server)
            }
        }
        counts += ProcessCounts.settled()
    }

    fun rises(count: (ProcessCounts) -> Int) = counts.zipWithNext().all { (before, after) -> count(after) > count(before) }
    val leaks = listOfNotNull("descriptors".takeIf { rises { it.descriptors } }, "threads".takeIf { rises { it.threads } })
    val descriptors = counts.last().descriptors - counts.first().descriptors
    val threads = counts.last().threads - counts.first().threads
    Observed(if (leaks.isEmpty()) "leaves nothing behind" else "leaves ${leaks.joinToString(" and ")} behind")
        .concern("There are $descriptors descriptors and $threads threads more at the end, and more with each hundred.", leaks.isNotEmpty())
}

private const val WARM = 20
private const val BLOCKS = 3
private const val CYCLES = 100

/** A client that leaves more behind is not given all of the process's descriptors. */
private const val MOST_LEFT = 200

/** A situation has ten seconds. A client that takes longer has fewer cycles. */
private val MOST: Duration = 2.5.seconds
