package clientlab.probe

import kotlinx.serialization.Serializable

/**
 * What the delay server saw of each request that carried `a=<number>`: its part of their timelines.
 *
 * @property rows a row per request, in order of arrival; at most 20,000, the newest. [columns] names its numbers.
 * @property droppedArrivedNanos when the first and the last of [dropped] older rows arrived, by the server's clock; null if there is none.
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
        val (number, connection, arrived, answered) = listOf("a", "connection", "arrivedNanos", "answeredNanos").map(columns::indexOf)
        return rows.map { row -> SeenRequest(row[number]!!.toInt(), row[connection]!!.toInt(), row[arrived]!!, row[answered]) }
    }
}

/**
 * The request that carried `a=`[number], as the server saw it; times are of the server's `System.nanoTime()`.
 *
 * @property connection numbered from the server's start; requests with the same number shared it.
 * @property arrivedNanos when the last byte of its head had been read.
 * @property answeredNanos when its answer had been given to the system, or null if it was not.
 */
public data class SeenRequest(val number: Int, val connection: Int, val arrivedNanos: Long, val answeredNanos: Long?)

/** Whether a level of requests in flight was [reached], how many there are now, and how many there were at most. */
@Serializable
public data class Awaited(val reached: Boolean, val inFlight: Long = 0, val peak: Long = 0)

@Serializable
internal data class ClockReading(val nanoTime: Long)
