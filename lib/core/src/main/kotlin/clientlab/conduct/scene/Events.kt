package clientlab.conduct.scene

import clientlab.*
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.math.roundToLong

/** What happens in a scene, in its order. Several threads note at once. */
internal class Events {
    private val beganNanos = System.nanoTime()
    private val noted = ConcurrentLinkedQueue<Event>()

    fun note(who: Event.Who, what: String) {
        noted += Event(((System.nanoTime() - beganNanos) / NANOS_PER_MICRO).roundToLong() / MICROS_PER_MILLI, who, what)
    }

    /** The first [MOST] of them: a story with more is not read. */
    val first: List<Event> get() = noted.sortedBy { it.ms }.take(MOST)

    private companion object {
        const val MOST = 40
        const val NANOS_PER_MICRO = 1e3
        const val MICROS_PER_MILLI = 1e3
    }
}
