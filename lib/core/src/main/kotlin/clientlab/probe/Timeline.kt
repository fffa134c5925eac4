package clientlab.probe

import kotlinx.serialization.Serializable

/**
 * The times of single requests in milliseconds since the burst began, a column a step, in the order in which they were asked.
 *
 * A step that nobody told is null: a client without events does not say when a request left its queue, and another server than ours not
 * when one arrived.
 *
 * @property number of the request, from 0.
 * @property askedMs when it was handed to the client; [leftQueueMs] when it left the client's own queue; [connectedMs] when it had a
 *   connection; [arrivedMs] when the server had read its head; [answeredMs] when the server had written the answer; [readMs] when the
 *   body had been read and handed over.
 * @property connection the server's number of the connection it came by.
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
    /** How many requests it has. */
    val size: Int get() = number.size

    /** At most [most] of them, evenly chosen, the first and the last among them. */
    public fun sample(most: Int): Timeline {
        if (size <= most) return this
        val rows = List(most) { Math.round(it * (size - 1.0) / (most - 1)).toInt() }

        fun <T> List<T>.chosen() = rows.map { this[it] }
        return Timeline(
            number.chosen(),
            askedMs.chosen(),
            leftQueueMs.chosen(),
            connectedMs.chosen(),
            arrivedMs.chosen(),
            answeredMs.chosen(),
            readMs.chosen(),
            connection.chosen(),
        )
    }

    public companion object {
        /** The most requests that a trial keeps the times of. */
        public const val MOST: Int = 200
    }
}

/** What the server noted of request [number], by its own `System.nanoTime()`; [answeredNanos] is null where it was never answered. */
public data class ServerTimes(
    val number: Int,
    val connection: Int,
    val arrivedNanos: Long,
    val answeredNanos: Long?,
)

/**
 * Whether the server's times are on this process's clock: no request arrived before it was asked, or after its answer was read.
 *
 * On Linux `System.nanoTime()` is one clock for all processes; where it is not, two clocks differ by far more than a request takes.
 */
public fun onOneClock(served: List<ServerTimes>, askedNanos: LongArray, readNanos: LongArray): Boolean =
    served.filter { it.number in askedNanos.indices && askedNanos[it.number] != 0L }.all {
        it.arrivedNanos >= askedNanos[it.number] && (readNanos[it.number] == 0L || it.arrivedNanos <= readNanos[it.number])
    }
