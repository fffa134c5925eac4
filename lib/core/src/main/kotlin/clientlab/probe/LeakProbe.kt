package clientlab.probe

import clientlab.*
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** Searches for threads and connections that are left after a session was closed. */
public class LeakProbe(
    private val threads: ThreadProbe,
    private val owners: ThreadOwners,
    private val server: ServerProbe,
    private val declared: List<Leftover>,
) {
    /**
     * Searches until nothing undeclared is left, but no longer than [patience]. The first [openBefore] connections do not count.
     *
     * Threads of the JVM, carriers of virtual threads and the shared workers of kotlinx.coroutines belong to no client. After half of the
     * time it asks for a collection, because some clients let go of their threads only then.
     */
    public fun look(baseline: ThreadBaseline, openBefore: Long, patience: Duration): Leaks {
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
            Thread.sleep(POLL.inWholeMilliseconds)
        }
    }

    private fun undeclared(names: List<String>): List<String> =
        declared.fold(names) { rest, leftover ->
            val (covered, others) = rest.partition(Regex(leftover.thread)::matches)
            others + covered.drop(leftover.atMost)
        }

    private companion object {
        private val NOBODYS = setOf(ThreadOwners.JVM, ThreadOwners.COROUTINES, "carrier threads", "common pool")
        private val POLL = 10.milliseconds
    }
}
