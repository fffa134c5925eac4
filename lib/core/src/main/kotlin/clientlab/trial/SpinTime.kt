package clientlab.trial

import clientlab.machine.*

/**
 * How long a generator spins before a request is due: as long as this machine's timers are late, which it measures once. Where they are less
 * than half a millisecond late, as for a thread with a real-time priority, it does not spin at all.
 */
internal class SpinTime(
    private val late: Long = PriorityThread.run { Calibration.timerOvershootNanos() },
) {
    /** The time at [rate] requests a second. A longer spin takes processor time from the client on a machine with few cores. */
    fun nanos(rate: Int): Long =
        if (late <= ACCURATE_NANOS) 0 else late.coerceAtMost(MOST_NANOS).coerceAtMost(SECOND_NANOS / rate / SHARE)

    private companion object {
        private const val ACCURATE_NANOS = 500_000L
        private const val MOST_NANOS = 3_000_000L
        private const val SECOND_NANOS = 1_000_000_000L
        private const val SHARE = 10
    }
}
