package clientlab.probe

import clientlab.client.*
import java.util.concurrent.atomic.AtomicLongArray

/**
 * Records a client's events of one burst, by the number that each request has in its path (`a=<number>`). Thread-safe. The last event
 * counts, because a retried call gets a connection twice.
 */
internal class EventLog(requests: Int) : RequestEvents {
    private val times = RequestEvent.entries.associateWith { AtomicLongArray(requests) }

    override fun happened(path: String, event: RequestEvent, atNanos: Long) {
        val column = times.getValue(event)
        val number = NUMBER.find(path)?.run { groupValues[1].toIntOrNull() } ?: return
        if (number < column.length()) column.set(number, atNanos)
    }

    /** When it happened to request [number], or null. */
    fun at(number: Int, event: RequestEvent): Long? = times.getValue(event).get(number).takeIf { it != 0L }
}

private val NUMBER = Regex("[?&]a=(\\d+)")
