package clientlab.probe

import kotlinx.serialization.Serializable
import kotlin.math.abs

/**
 * What the delay server saw of each request that carried `a=<number>`: its part of their timelines.
 *
 * @property columns what the numbers of a row are, by name.
 * @property rows a row per request, in order of arrival; at most 20,000, the newest.
 * @property dropped how many older rows had to make room for them.
 * @property droppedArrivedNanos when the first and the last of those had arrived, by the server's clock; null where none had to.
 */
@Serializable
public data class SeenRequests(
    val columns: List<String> = emptyList(),
    val rows: List<List<Long?>> = emptyList(),
    val dropped: Long = 0,
    val droppedArrivedNanos: List<Long>? = null,
) {
    /** The same, named; a request that was sent twice under one number is there twice. */
    public val requests: List<SeenRequest> get() {
        val number = columns.indexOf("a")
        val connection = columns.indexOf("connection")
        val arrived = columns.indexOf("arrivedNanos")
        val answered = columns.indexOf("answeredNanos")
        return rows.map { row -> SeenRequest(row[number]!!.toInt(), row[connection]!!.toInt(), row[arrived]!!, row[answered]) }
    }
}

/**
 * One request as the server saw it; times are the server's `System.nanoTime()`, on Linux the clock of every process of the machine.
 *
 * @property number what it carried as `a`.
 * @property connection the connection it came on, numbered from the server's start: requests that share it reused it.
 * @property arrivedNanos when the last byte of its head had been read.
 * @property answeredNanos when its answer had been handed to the system, or null where it was not.
 */
public data class SeenRequest(
    val number: Int,
    val connection: Int,
    val arrivedNanos: Long,
    val answeredNanos: Long?,
)

/** How far the server's `System.nanoTime()` is ahead of this process's, in nanoseconds, give or take [errorNanos]. */
public data class ServerClock(
    val aheadNanos: Long,
    val errorNanos: Long,
) {
    /** Whether the two cannot be told apart: then the server's times stand as they are. */
    val isOurs: Boolean get() = abs(aheadNanos) <= errorNanos

    /** How far it moved since [before], in nanoseconds; 0 where the errors of both readings and the drift of a clock explain it. */
    internal fun movedSince(before: ServerClock, elapsedNanos: Long): Long {
        val moved = aheadNanos - before.aheadNanos
        val explained = errorNanos + before.errorNanos + STEP_NANOS + elapsedNanos / DRIFT
        return if (abs(moved) > explained) moved else 0
    }

    private companion object {
        /** A step so small is in no figure, and a date that is kept by NTP makes such steps. */
        private const val STEP_NANOS = 20_000_000L

        /** One part in a thousand is twice what NTP may slew a clock by. */
        private const val DRIFT = 1_000L
    }
}

@Serializable
internal data class ClockReading(val nanoTime: Long)
