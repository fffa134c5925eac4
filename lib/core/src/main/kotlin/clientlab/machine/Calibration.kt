package clientlab.machine

import clientlab.*
import kotlinx.serialization.Serializable
import java.util.concurrent.locks.LockSupport

/**
 * The accuracy of this machine's timers and loopback while nothing of ours runs: the lower bound of every latency measured on it.
 *
 * @property timerOvershootP50Us by how many µs a sleep of 1 ms was too long: median, by nearest rank, of 200 sleeps.
 * @property loopbackRoundTripP50Us µs for one byte there and back over TCP on loopback, of 500 trips after as many to warm up.
 */
@Serializable
public data class Calibration(
    val timerOvershootP50Us: Double,
    val timerOvershootP99Us: Double,
    val loopbackRoundTripP50Us: Double,
    val loopbackRoundTripP99Us: Double,
) {
    public companion object {
        /** Measures both, in about a third of a second on a quiet machine. Blocks; an interrupt only shortens its sleeps. */
        public fun measure(): Calibration {
            val timers = overshoots()
            val trips = Loopback.roundTrips(TRIPS, warmUp = TRIPS).apply { sort() }

            fun us(ascendingNanos: DoubleArray, share: Double) = nearestRank(ascendingNanos, share) / NS_PER_US
            return Calibration(us(timers, 0.5), us(timers, 0.99), us(trips, 0.5), us(trips, 0.99))
        }

        /** The 99th percentile of how late sleeps of 1 ms are, in nanoseconds; measured in about a quarter of a second. */
        internal fun timerOvershootNanos(): Long = nearestRank(overshoots(), 0.99).toLong()

        private fun overshoots(): DoubleArray {
            repeat(WARM_UP) { LockSupport.parkNanos(ASKED_NS) }
            return DoubleArray(TIMERS) { nanosOf { LockSupport.parkNanos(ASKED_NS) }.minus(ASKED_NS).coerceAtLeast(0.0) }.apply { sort() }
        }

        private const val TIMERS = 200
        private const val TRIPS = 500
        private const val ASKED_NS = 1_000_000L
        private const val WARM_UP = 20
        private const val NS_PER_US = 1000.0
    }
}
