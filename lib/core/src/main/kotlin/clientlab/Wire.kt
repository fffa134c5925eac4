package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import java.math.BigDecimal
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/**
 * The network between the client and the delay server, a level of the factor `wire`. A relay in a process of its own takes its place; see
 * `server/wire`.
 *
 * @property rtt the round-trip time, at most a minute. Each direction takes half of it. The first bytes of a connection wait one round trip
 *   more, as after a connect over such a network.
 * @property jitter by how much at most a piece is later than that in one direction, drawn evenly at random.
 * @property bytesPerSecond the bandwidth in each direction; null for none that is felt.
 * @property loss the share of packets that get lost in each direction, at most a half. It is felt in HTTP/3 alone: a relay of TCP passes on bytes
 *   and not packets, so it cannot lose any.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Wire(
    val rtt: Duration = Duration.ZERO,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val jitter: Duration = Duration.ZERO,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val bytesPerSecond: Long? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val loss: Double = 0.0,
) {
    init {
        refuseUnless(rtt in POSSIBLE) { "A round trip of $rtt is impossible: it takes 0 s to $LONGEST." }
        refuseUnless(jitter in POSSIBLE) { "A jitter of $jitter is impossible: it is 0 s to $LONGEST." }
        refuseUnless(loss in 0.0..MOST_LOSS) { "A loss of $loss is impossible: it is a share, from 0 to $MOST_LOSS." }
        refuseUnless(bytesPerSecond == null || bytesPerSecond > 0) {
            "$bytesPerSecond bytes per second carry nothing: give at least 1, or none for a bandwidth that is not felt."
        }
    }

    /** Its spelling in treatments, as in `40 ms, jitter 5 ms, 1000000 B/s`. */
    val label: String
        get() {
            if (this == direct) return "direct"
            val late = jitter.takeIf { it > Duration.ZERO }?.let { "jitter ${inWords(it)}" }
            val lost = loss.takeIf { it > 0 }?.let { "loss ${BigDecimal.valueOf(it * PERCENT).stripTrailingZeros().toPlainString()} %" }
            return listOfNotNull(inWords(rtt), late, bytesPerSecond?.let { "$it B/s" }, lost).joinToString()
        }

    private fun inWords(duration: Duration): String =
        if (duration == duration.inWholeMilliseconds.milliseconds) "${duration.inWholeMilliseconds} ms" else "$duration"

    override fun toString(): String = label

    public companion object {
        // Before `direct`, which is checked against it.
        private val LONGEST = 1.minutes
        private const val MOST_LOSS = 0.5
        private const val PERCENT = 100
        private val POSSIBLE = Duration.ZERO..LONGEST

        /** No relay: the client is connected to the server itself. */
        public val direct: Wire = Wire()

        /** Refuses a loss that no protocol of the workload would feel. */
        internal fun check(wires: List<Wire>, protocols: List<Protocol>) {
            refuseUnless(wires.none { it.loss > 0 } || protocols == listOf(Protocol.Http3)) {
                "A relay of TCP passes on bytes and loses no packets: ask for protocol = listOf(Protocol.Http3) alone, or leave out loss."
            }
        }

        /** The wire of [treatment] among [levels], which is direct where it names none. */
        internal fun of(treatment: Treatment, levels: List<Wire>): Wire =
            levels.first { it.label == (treatment[Factor.WIRE] ?: direct.label) }
    }
}
