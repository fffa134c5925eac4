package clientlab.probe

import java.time.Instant
import java.time.temporal.ChronoUnit
import kotlin.math.abs

/** How far the server's `System.nanoTime()` is ahead of this process's, in nanoseconds, with an error of at most [errorNanos]. */
public data class ServerClock(val aheadNanos: Long, val errorNanos: Long) {
    /** Whether the two clocks cannot be distinguished; then the server's times are used unchanged. */
    val isOurs: Boolean get() = abs(aheadNanos) <= errorNanos

    /** How far it moved since [before], in nanoseconds; 0 if the errors of both readings and a clock's drift explain it. */
    internal fun movedSince(before: ServerClock, elapsedNanos: Long): Long {
        val moved = aheadNanos - before.aheadNanos
        val explained = errorNanos + before.errorNanos + STEP_NANOS + elapsedNanos / DRIFT
        return if (abs(moved) > explained) moved else 0
    }

    internal companion object {
        /** No figure shows a step so small, and NTP makes such steps. */
        private const val STEP_NANOS = 20_000_000L

        /** One part in a thousand is twice what NTP may slew a clock by. */
        private const val DRIFT = 1_000L

        /** The clock that [tell] reads in nanoseconds, from the quickest of [looks], because anything may stop this thread meanwhile. */
        fun read(looks: Int, tell: () -> Long): ServerClock =
            (1..looks)
                .map {
                    val before = System.nanoTime()
                    val told = tell()
                    val after = System.nanoTime()
                    ServerClock(aheadNanos = told - (before + (after - before) / 2), errorNanos = (after - before + 1) / 2)
                }.minBy { it.errorNanos }
    }
}

/**
 * Checks the server's clock and the system's date against our monotonic clock, from its creation until [finish].
 *
 * The server's clock keeps the delays: if it jumped, no time of the trial counts. No number uses the date, but it jumps when the machine
 * slept or was halted, and a monotonic clock may not show that.
 */
internal class ClockWatch(private val server: () -> ServerClock, private val date: () -> Instant = Instant::now) {
    private val serverBefore = server()
    private val dateBefore = dateAhead()
    private val began = System.nanoTime()

    fun finish(): ClocksSeen {
        val elapsed = System.nanoTime() - began
        val dateMoved = dateAhead().movedSince(dateBefore, elapsed)
        val after = server()
        return ClocksSeen(after, after.movedSince(serverBefore, elapsed) / NANOS_A_MS, dateMoved / NANOS_A_MS)
    }

    private fun dateAhead() = ServerClock.read(LOOKS) { ChronoUnit.NANOS.between(Instant.EPOCH, date()) }
}

/** What a [ClockWatch] saw: the [server]'s clock at the end, and by how many ms it and the system's date moved; 0 if errors explain it. */
internal class ClocksSeen(val server: ServerClock, serverMovedMs: Long, dateMovedMs: Long) {
    val reasons: List<String> =
        listOf("The server's clock moved by $serverMovedMs ms against the client's during the trial, so no time of it counts.")
            .filter { serverMovedMs != 0L }

    val warnings: List<String> =
        listOf("The system's date moved by $dateMovedMs ms during the burst: it was set, or the machine stood still for that long.")
            .filter { dateMovedMs != 0L }
}

private const val LOOKS = 5
private const val NANOS_A_MS = 1_000_000L
