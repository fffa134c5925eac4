package clientlab

import kotlinx.serialization.Serializable

/**
 * The times of single requests in milliseconds since the burst began: one column per phase, in the order of sending. A step that nothing
 * reported is null: a client without events does not say when a request left its queue, and Jetty not when one arrived.
 *
 * @property askedMs when the request was handed to the client; [leftQueueMs] when it left the client's own queue; [connectedMs] when it
 *   had a connection.
 * @property arrivedMs when the server had read its head; [answeredMs] when the server had written the answer.
 * @property readMs when the body had been read and handed over.
 * @property connection the server's number of its connection.
 */
@Serializable
public data class Timeline(
    val number: List<Int> = emptyList(),
    val askedMs: List<Double> = emptyList(),
    val leftQueueMs: List<Double?> = emptyList(),
    val connectedMs: List<Double?> = emptyList(),
    val arrivedMs: List<Double?> = emptyList(),
    val answeredMs: List<Double?> = emptyList(),
    val readMs: List<Double?> = emptyList(),
    val connection: List<Int?> = emptyList(),
) {
    val size: Int get() = number.size

    /** At most [most] of the requests, evenly chosen, with the first and the last. */
    public fun sample(most: Int): Timeline {
        if (size <= most) return this
        val rows = List(most) { Math.round(it * (size - 1.0) / (most - 1)).toInt() }
        return Timeline(
            number.slice(rows),
            askedMs.slice(rows),
            leftQueueMs.slice(rows),
            connectedMs.slice(rows),
            arrivedMs.slice(rows),
            answeredMs.slice(rows),
            readMs.slice(rows),
            connection.slice(rows),
        )
    }

    public companion object {
        /** A trial keeps the times of at most so many requests. */
        public const val MOST: Int = 200
    }
}
