package clientlab.probe

import kotlinx.serialization.Serializable
import kotlin.math.abs

/**
 * What the delay server saw of each request that carried `a=<number>`: its part of their timelines.
 *
 * @property columns the names of the numbers of a row.
 * @property rows a row per request, in order of arrival; at most 20,000, the newest.
 * @property dropped how many older rows were dropped.
 * @property droppedArrivedNanos when the first and the last dropped request arrived, by the server's clock; null if none was dropped.
 */
@Serializable
public data class SeenRequests(
    val columns: List<String> = emptyList(),
    val rows: List<List<Long?>> = emptyList(),
    val dropped: Long = 0,
    val droppedArrivedNanos: List<Long>? = null,
) {
    /** The same rows with names. A request that was sent twice under one number is there twice. */
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
 * @property connection its connection, numbered from the server's start; requests with the same number shared it.
 * @property arrivedNanos when the last byte of its head had been read.
 * @property answeredNanos when its answer had been given to the system, or null if it was not.
 */
public data class SeenRequest(
    val number: Int,
    val connection: Int,
    val arrivedNanos: Long,
    val answeredNanos: Long?,
)

/** How far the server's `System.nanoTime()` is ahead of this process's, in nanoseconds, with an error of at most [errorNanos]. */
public data class ServerClock(val aheadNanos: Long, val errorNanos: Long) {
    /** Whether the two clocks cannot be distinguished; then the server's times are used unchanged. */
    val isOurs: Boolean get() = abs(aheadNanos) <= errorNanos

    /** How far it moved since [before], in nanoseconds; 0 if the errors of both readings and a clock's drift explain it. */
    internal fun movedSince(before: ServerClock, elapsedNanos: Long): Long {
        val moved = aheadNanos - before.aheadNanos
        val explained = errorNanos + before.errorNanos + STEP_NANOS + elapsedNanos / DRIFT
        return if (abs(moved) > explained) moved else 0
    }

    private companion object {
        /** No figure shows a step so small, and NTP makes such steps. */
        private const val STEP_NANOS = 20_000_000L

        /** One part in a thousand is twice what NTP may slew a clock by. */
        private const val DRIFT = 1_000L
    }
}

@Serializable
internal data class ClockReading(val nanoTime: Long)
