package clientlab.probe

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Looks for times in which this process stood still, until it is closed. Whatever stops it is among them: other guests of the machine, other
 * work, a collection. The method is that of G. Tene's jHiccup: a thread sleeps again and again, and notes how late it wakes.
 */
internal class PauseWatch : AutoCloseable {
    private val pauses = Pauses(EVERY)
    private val lookout = Lookout("pauses", EVERY, pauses::look)

    /** The longest pause so far, in ms. */
    val longestMs: Double get() = pauses.run {
        look()
        longestMs
    }

    override fun close(): Unit = lookout.close()

    private companion object {
        val EVERY = 5.milliseconds
    }
}

/** How late looks are that should come [every] so often. */
internal class Pauses(private val every: Duration, private val now: () -> Long = System::nanoTime) {
    private var last = now()
    private var longest = 0L

    val longestMs: Double @Synchronized get() = longest / 1e6

    @Synchronized
    fun look() {
        val at = now()
        longest = maxOf(longest, at - last - every.inWholeNanoseconds)
        last = at
    }
}
