package clientlab.wire

import kotlinx.serialization.Serializable
import java.util.SplittableRandom

/**
 * What the network between a client and a server does. A change holds for what enters the network after it, on open connections too. Both
 * directions are alike.
 *
 * @property rttMs the round-trip time in milliseconds. Each direction takes half of it. The first bytes of a connection wait one round trip
 *   more, because a client that connects over such a network would wait for it.
 * @property jitterMs by how many milliseconds at most a piece is later than that in one direction, drawn evenly at random. Pieces keep their order.
 * @property bytesPerSecond the bandwidth in each direction; null for none that is felt.
 * @property paused whether nothing moves. What was sent meanwhile goes on when the pause ends, as after a short outage.
 * @property silent whether everything vanishes, and no end of a connection is seen. A connection that lost something stays silent for good.
 * @property losesServerClose whether the server's end of a connection is lost on the way: the client has a half-open connection.
 * @property resetAfterBytes after how many bytes from the server a connection is reset; null for never.
 * @property lossShare the share of datagrams that get lost in each direction. TCP hides what its packets do, so a relay of TCP loses none.
 * @property requestsPerConnection how many requests a connection carries; with the next one it is closed. Null for any number. What the client
 *   sends after an answer, or first, counts as a request.
 */
@Serializable
public data class Wire(
    val rttMs: Double = 0.0,
    val jitterMs: Double = 0.0,
    val bytesPerSecond: Long? = null,
    val paused: Boolean = false,
    val silent: Boolean = false,
    val losesServerClose: Boolean = false,
    val resetAfterBytes: Long? = null,
    val requestsPerConnection: Int? = null,
    val lossShare: Double = 0.0,
) {
    init {
        require(rttMs in 0.0..MOST_MS) { "rttMs is $rttMs: a round trip takes 0 to ${MOST_MS.toInt()} ms." }
        require(jitterMs in 0.0..MOST_MS) { "jitterMs is $jitterMs: it is 0 to ${MOST_MS.toInt()} ms." }
        require(bytesPerSecond == null || bytesPerSecond > 0) { "bytesPerSecond is $bytesPerSecond: it is 1 or more, or null." }
        require(resetAfterBytes == null || resetAfterBytes >= 0) { "resetAfterBytes is $resetAfterBytes: it is 0 or more, or null." }
        require(lossShare in 0.0..1.0) { "lossShare is $lossShare: it is a share, from 0 to 1." }
        require(requestsPerConnection == null || requestsPerConnection > 0) {
            "requestsPerConnection is $requestsPerConnection: it is 1 or more, or null."
        }
    }

    internal val roundTripNanos: Long get() = (rttMs * NANOS_PER_MS).toLong()

    /** How long a piece is on its way in one direction. */
    internal fun oneWayNanos(random: SplittableRandom): Long =
        roundTripNanos / 2 + if (jitterMs > 0) (random.nextDouble() * jitterMs * NANOS_PER_MS).toLong() else 0

    /** How long the line is busy with [bytes]. */
    internal fun sendNanos(bytes: Int): Long = bytesPerSecond?.let { bytes * NANOS_PER_SECOND / it } ?: 0
}

private const val MOST_MS = 60_000.0
private const val NANOS_PER_MS = 1e6
private const val NANOS_PER_SECOND = 1_000_000_000L
