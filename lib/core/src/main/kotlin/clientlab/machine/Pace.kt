package clientlab.machine

import clientlab.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import kotlin.math.abs
import kotlin.math.sqrt

/**
 * How long a fixed reference load takes on this machine now: [spinMs] for a computation on one processor, in milliseconds, and [echoUs] for
 * one byte there and back on loopback within one thread, in microseconds. Both are medians of nine parts, with their standard errors.
 *
 * A machine that takes longer for the same work has another frequency, other guests or other processes than before.
 *
 * @property echoUs and [echoErrorUs] are null in readings from before 2026-11-25. Those have [loopbackUs] and [loopbackErrorUs], of an echo
 *   between two threads. No rule uses it, because it is mostly the time that waking a thread takes.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Pace(
    val spinMs: Double,
    val spinErrorMs: Double,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val echoUs: Double? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val echoErrorUs: Double? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val loopbackUs: Double? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val loopbackErrorUs: Double? = null,
) {
    public companion object {
        /** Runs the load in this thread, in about a third of a second; the first time it runs once more before, so that it is compiled. */
        public fun measure(): Pace {
            warmed
            val (spin, spinError) = middle(parts { nanosOf(::spin) })
            val trips = OneThreadEcho.roundTrips(PARTS * TRIPS, WARM_UP)
            val (trip, tripError) = middle(parts { nearestRank(trips.copyOfRange(it * TRIPS, (it + 1) * TRIPS).apply { sort() }, 0.5) })
            return Pace(PARTS * spin / NS_PER_MS, PARTS * spinError / NS_PER_MS, trip / NS_PER_US, tripError / NS_PER_US)
        }

        /** Otherwise the first reading of a run would be that of interpreted code. */
        private val warmed: Unit by lazy {
            repeat(PARTS) { spin() }
            OneThreadEcho.roundTrips(trips = 1, warmUp = COMPILED)
            Unit
        }

        /** What the spin has computed. It is kept so that the compiler cannot remove the loop. */
        @Volatile
        private var kept = 1L

        /** Steps that each need the result of the one before: G. Steele et al., *Fast splittable pseudorandom number generators*, 2014. */
        private fun spin() {
            var hash = kept
            repeat(STEPS) {
                hash = (hash xor (hash ushr 30)) * -0x40a7b892e31b1a47L
                hash = (hash xor (hash ushr 27)) + -0x61c8864680b583ebL
            }
            kept = hash
        }

        private inline fun parts(part: (Int) -> Double) = DoubleArray(PARTS) { part(it) }

        /** The median, and its standard error from the median distance to it, as for a normal distribution. */
        private fun middle(parts: DoubleArray): Pair<Double, Double> {
            val median = nearestRank(parts.sortedArray(), 0.5)
            val distance = nearestRank(DoubleArray(parts.size) { abs(parts[it] - median) }.apply { sort() }, 0.5)
            return median to distance * DEVIATIONS * MEDIAN_ERROR / sqrt(parts.size.toDouble())
        }

        private const val PARTS = 9
        private const val STEPS = 8_000_000
        private const val TRIPS = 300
        private const val WARM_UP = 300
        private const val COMPILED = 20_000
        private const val NS_PER_MS = 1e6
        private const val NS_PER_US = 1e3

        /** Standard deviations in a median distance, and the error of a median in errors of a mean. */
        private const val DEVIATIONS = 1.4826
        private const val MEDIAN_ERROR = 1.2533
    }
}
