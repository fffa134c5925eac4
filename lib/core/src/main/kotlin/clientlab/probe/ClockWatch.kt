package clientlab.probe

import java.time.Instant
import java.time.temporal.ChronoUnit

/**
 * Checks other clocks against our monotonic clock, from its creation until [finish].
 *
 * Latencies are told by our clock and delays are kept by the server's: where one of them jumped, no time of the trial is worth anything.
 * No number uses the system's date. But the date jumps when the machine slept or was halted, and a monotonic clock may not show that.
 *
 * @param server reads how far the server's clock is ahead now.
 * @param date the system's date.
 */
internal class ClockWatch(private val server: () -> ServerClock, private val date: () -> Instant = Instant::now) {
    private val serverBefore = server()
    private val dateBefore = dateAhead()
    private val began = System.nanoTime()

    fun finish(): ClocksSeen {
        val elapsed = System.nanoTime() - began
        val dateMoved = dateAhead().movedSince(dateBefore, elapsed)
        val after = server()
        return ClocksSeen(
            server = after,
            serverMovedMs = after.movedSince(serverBefore, elapsed) / NANOS_A_MS,
            dateMovedMs = dateMoved / NANOS_A_MS,
        )
    }

    /** From the closest of some looks, because the system may stop this thread between two readings. */
    private fun dateAhead(): ServerClock =
        (1..LOOKS)
            .map {
                val before = System.nanoTime()
                val told = ChronoUnit.NANOS.between(Instant.EPOCH, date())
                val after = System.nanoTime()
                ServerClock(aheadNanos = told - (before + (after - before) / 2), errorNanos = (after - before + 1) / 2)
            }.minBy { it.errorNanos }

    private companion object {
        private const val LOOKS = 5
        private const val NANOS_A_MS = 1_000_000L
    }
}

/**
 * What a [ClockWatch] saw.
 *
 * @property server how far the server's clock was ahead at the end.
 * @property serverMovedMs how far it moved against ours meanwhile, and [dateMovedMs] the system's date, in milliseconds; 0 if the errors of
 *   the readings and a clock's drift explain it.
 */
internal class ClocksSeen(
    val server: ServerClock,
    private val serverMovedMs: Long,
    private val dateMovedMs: Long,
) {
    /** The reasons why no time of the trial is valid. */
    val reasons: List<String> =
        if (serverMovedMs == 0L) {
            emptyList()
        } else {
            listOf("The server's clock moved by $serverMovedMs ms against the client's during the trial, so no time of it counts.")
        }

    /** What a reader should know all the same. */
    val warnings: List<String> =
        if (dateMovedMs == 0L) {
            emptyList()
        } else {
            listOf("The system's date moved by $dateMovedMs ms during the burst: it was set, or the machine stood still for that long.")
        }
}
