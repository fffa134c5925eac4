package clientlab.trial

import clientlab.machine.*
import clientlab.probe.*

/** How long a generator spins before a request is due: as long as this machine's timers are late, which it measures once. */
internal class SpinTime {
    private val late = PriorityThread.run("${ThreadOwners.HARNESS_PREFIX}calibration") { Calibration.timerOvershootNanos() }

    /** The time at [rate] requests a second. A longer spin takes processor time from the client on a machine with few cores. */
    fun nanos(rate: Int): Long = late.coerceIn(LEAST_NANOS, MOST_NANOS).coerceAtMost(SECOND_NANOS / rate / SHARE)

    private companion object {
        /** Linux's timers have a slack of 50 microseconds. */
        private const val LEAST_NANOS = 120_000L
        private const val MOST_NANOS = 3_000_000L
        private const val SECOND_NANOS = 1_000_000_000L
        private const val SHARE = 10
    }
}
