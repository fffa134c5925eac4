package clientlab.probe

import clientlab.*
import kotlin.time.Duration
import kotlin.time.TimeSource

/** Searches for threads and connections that are left after a session was closed. */
internal class LeakProbe(
    private val threads: ThreadProbe,
    private val owners: ThreadOwners,
    private val server: ServerProbe,
    private val declared: List<Leftover>,
) {
    /**
     * Searches until nothing undeclared is left, but no longer than [patience]. The first [openBefore] connections do not count.
     *
     * After half of the time it asks for a collection, because some clients let go of their threads only then.
     */
    fun look(baseline: ThreadBaseline, openBefore: Long, patience: Duration): Leaks {
        val began = TimeSource.Monotonic.markNow()
        var collected = false
        while (true) {
            val left = threads.newNames(baseline).filterNot { owners.of(it) in NOBODYS }
            val open = (server.evidence().connectionsOpen - openBefore).coerceAtLeast(0)
            val leaks = Leaks(left, undeclared(left), open, (open - declared.sumOf { it.connections.toLong() }).coerceAtLeast(0))
            if ((leaks.undeclared.isEmpty() && leaks.undeclaredConnections == 0L) || began.elapsedNow() > patience) return leaks
            if (!collected && began.elapsedNow() > patience / 2) {
                System.gc()
                collected = true
            }
            Thread.sleep(POLL_MS)
        }
    }

    private fun undeclared(names: List<String>): List<String> =
        declared.fold(names) { rest, leftover ->
            val (covered, others) = rest.partition(Regex(leftover.thread)::matches)
            others + covered.drop(leftover.atMost)
        }
}

/** The owners of threads that belong to no client. */
private val NOBODYS = setOf(ThreadOwners.JVM, ThreadOwners.COROUTINES, "carrier threads", "common pool")
private const val POLL_MS = 10L
