package clientlab.probe

import kotlinx.serialization.Serializable

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
        val (number, connection, arrived, answered) = listOf("a", "connection", "arrivedNanos", "answeredNanos").map(columns::indexOf)
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
public data class SeenRequest(val number: Int, val connection: Int, val arrivedNanos: Long, val answeredNanos: Long?)

/** Whether a level of requests in flight was [reached], how many there are now, and how many there were at most. */
@Serializable
public data class Awaited(val reached: Boolean, val inFlight: Long = 0, val peak: Long = 0)

@Serializable
internal data class ClockReading(val nanoTime: Long)
