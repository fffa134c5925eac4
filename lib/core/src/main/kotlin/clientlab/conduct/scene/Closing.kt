package clientlab.conduct.scene

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.time.Duration

/** A session that is being closed on a thread of its own, because closing may wait for calls under way. */
internal class ClosingSession(private val done: CountDownLatch) {
    /** Whether the session has closed [within] that time. */
    fun await(within: Duration): Boolean = done.await(within.inWholeMilliseconds, TimeUnit.MILLISECONDS)
}

/** Begins to close [session]. */
internal fun Scene.closeOf(session: Session): ClosingSession {
    val done = CountDownLatch(1)
    events.note(Event.Who.Caller, "closes the client")
    thread(isDaemon = true, name = "${ThreadOwners.HARNESS_PREFIX}closing") {
        runCatching { session.close() }
        events.note(Event.Who.Client, "is closed")
        done.countDown()
    }
    return ClosingSession(done)
}
