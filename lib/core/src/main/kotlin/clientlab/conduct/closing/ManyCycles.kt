package clientlab.conduct.closing

import clientlab.conduct.scene.*
import clientlab.probe.*
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

    fun left(count: (ProcessCounts) -> Int) = count(counts.last()) - count(counts.first())
    while (counts.size <= HUNDREDS && left { it.descriptors } < MANY) {
        val began = TimeSource.Monotonic.markNow()
        val most = counts.first().descriptors + 2 * MANY
        repeat(CYCLES) { if (began.elapsedNow() < MOST && ProcessCounts.read().descriptors < most) cycle(server) }
        counts += ProcessCounts.settled()
    }

    fun leaks(count: (ProcessCounts) -> Int): Boolean {
        val risesEachTime = counts.size > HUNDREDS && counts.map(count).zipWithNext().all { (before, after) -> after > before }
        return risesEachTime || left(count) >= MANY
    }
    val leaks = listOfNotNull("descriptors".takeIf { leaks { it.descriptors } }, "threads".takeIf { leaks { it.threads } })
    Observed(if (leaks.isEmpty()) "leaves nothing behind" else "leaves ${leaks.joinToString(" and ")} behind")
        .concern("At the end there are ${left { it.descriptors }} descriptors and ${left { it.threads }} threads more.", leaks.isNotEmpty())
}

private const val WARM = 20
private const val HUNDREDS = 3
private const val CYCLES = 100

/** So many are no chance. A client that leaves more of them is not given all of the process's descriptors. */
private const val MANY = 50

/** A client whose cycles take long has fewer of them. */
private val MOST: Duration = 0.8.seconds
