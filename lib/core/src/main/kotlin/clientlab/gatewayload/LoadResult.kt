package clientlab.gatewayload

import java.io.IOException
import java.net.ConnectException
import java.net.InetSocketAddress
import java.net.StandardSocketOptions
import java.nio.ByteBuffer
import java.nio.channels.SelectionKey
import java.nio.channels.Selector
import java.nio.channels.SocketChannel
import kotlin.time.Duration

/**
 * The results of an open loop's requests by their number; times are in nanoseconds since the first planned time.
 *
 * @property planned when each was to be sent; [sent] when it was, or -1; [done] when it was answered rightly, or -1.
 * @property errors how often each kind of failure came.
 */
public class LoadResult(
    public val planned: LongArray,
    public val sent: LongArray,
    public val done: LongArray,
    public val errors: Map<String, Int>,
    public val connections: Int,
) {
    public val requests: Int get() = planned.size
    public val answered: Int get() = done.count { it >= 0 }

    /**
     * Milliseconds from the planned time, ascending; a request without a right answer counts as [patience], because it took at least that
     * long.
     */
    public fun fromPlanned(patience: Duration): DoubleArray =
        DoubleArray(requests) { if (done[it] < 0) patience.inWholeMicroseconds / 1e3 else (done[it] - planned[it]) / 1e6 }.apply { sort() }

    /** Milliseconds from the time when the request was sent, for answered requests alone. This way hides the wait before sending. */
    public fun fromSent(): DoubleArray =
        (0 until requests)
            .filter { done[it] >= 0 }
            .map { (done[it] - sent[it]) / 1e6 }
            .toDoubleArray()
            .apply { sort() }

    /** Milliseconds between planned and sent, ascending, for the sent requests: the lateness of the generator. */
    public fun lag(): DoubleArray =
        (0 until requests)
            .filter { sent[it] >= 0 }
            .map { (sent[it] - planned[it]) / 1e6 }
            .toDoubleArray()
            .apply { sort() }
}
