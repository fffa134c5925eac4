package clientlab.trial

import clientlab.probe.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Tells when the number of requests in flight has not changed for [still]. One thread at a time. */
internal class StandStill(private val still: Duration) {
    private var since = TimeSource.Monotonic.markNow()

    /** The number seen last, or -1. */
    var level = -1L
        private set

    /** Whether the number stands still. Zero never does: a client may take a while to load its classes. */
    val reached: Boolean get() = level > 0 && since.elapsedNow() >= still

    fun see(inFlight: Long) {
        if (inFlight == level) return
        level = inFlight
        since = TimeSource.Monotonic.markNow()
    }
}

/** How long the server is asked at a time for the number of requests in flight. */
internal val POLL: Duration = 25.milliseconds

/** Waits until [asked] requests are in flight, their number stands still, it is [over], or [LONGEST] has passed; returns the number. */
internal fun ServerProbe.awaitPlateau(asked: Int, still: Duration, over: () -> Boolean): Long {
    val began = TimeSource.Monotonic.markNow()
    val seen = StandStill(still)
    while (began.elapsedNow() < LONGEST) {
        val now = await(asked, POLL)
        seen.see(now.inFlight)
        if (now.reached || over() || seen.reached) break
    }
    return seen.level
}

private val LONGEST = 20.seconds
