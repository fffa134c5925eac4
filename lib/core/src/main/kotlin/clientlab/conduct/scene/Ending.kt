package clientlab.conduct.scene

import clientlab.client.*

/** How a request ended for its caller, and [ms] after it was asked. */
internal sealed interface Ending {
    val ms: Double

    /** In a few words that are the same whenever the same happens. */
    val words: String

    class Answered(val reply: Reply, override val ms: Double) : Ending {
        override val words get() = "${reply.status}"
    }

    class Failed(val failure: Throwable, override val ms: Double) : Ending {
        override val words get() = "fails (${failure.javaClass.simpleName})"
    }

    /** It has not ended within the patience of the situation. */
    class Pending(override val ms: Double) : Ending {
        override val words get() = "waits on"
    }
}

internal val Ending.failed: Boolean get() = this is Ending.Failed

internal val Ending.pending: Boolean get() = this is Ending.Pending

/** Whether it ended with an answer of [status]. */
internal fun Ending.isAnswer(status: Int = OK): Boolean = this is Ending.Answered && reply.status == status

/** An ending that a time-out should bring: in time, early, late, or not at all, which is a concern for the reason [without]. */
internal fun Ending.atTimeout(without: String): Observed {
    val late = TIMEOUT.inWholeMilliseconds * LATE_SHARE + LATE_MS
    return when {
        this is Ending.Pending -> Observed(words, concern = without)
        this !is Ending.Failed -> Observed("answers $words", ms)
        ms < TIMEOUT.inWholeMilliseconds * EARLY_SHARE -> Observed("$words before the time-out", ms)
        ms > late -> Observed("$words late", ms, "It is later than the time-out of ${TIMEOUT.inWholeMilliseconds} ms by more than a tenth.")
        else -> Observed("$words in time", ms)
    }
}

private const val OK = 200
private const val EARLY_SHARE = 0.95
private const val LATE_SHARE = 1.1
private const val LATE_MS = 20
