package clientlab.probe

import clientlab.client.*
import java.util.concurrent.atomic.AtomicLongArray

/**
 * Records a client's events of one burst, by the number that each request has in its path (`a=<number>`).
 *
 * Thread-safe. The last event counts, because a retried call gets a connection twice.
 */
public class EventLog(requests: Int) : RequestEvents {
    private val leftQueue = AtomicLongArray(requests)
    private val connected = AtomicLongArray(requests)

    override fun happened(path: String, event: RequestEvent, atNanos: Long) {
        val number = numberOf(path)
        val column =
            when (event) {
                RequestEvent.LeftQueue -> leftQueue
                RequestEvent.ConnectionReady -> connected
            }
        if (number in 0 until column.length()) column.set(number, atNanos)
    }

    /** When it happened to request [number], or null where the client did not tell. */
    public fun at(number: Int, event: RequestEvent): Long? =
        when (event) {
            RequestEvent.LeftQueue -> leftQueue
            RequestEvent.ConnectionReady -> connected
        }.get(number).takeIf { it != 0L }

    private fun numberOf(path: String): Int =
        path
            .substringAfter('?', "")
            .split('&')
            .firstOrNull { it.startsWith("a=") }
            ?.substring(2)
            ?.toIntOrNull() ?: -1
}
