package clientlab.server.answer

/** What ends a connection, or an answer, on purpose. */
internal enum class Fault {
    NONE,

    /** The connection is closed (a FIN; in HTTP/2 with all its streams). */
    CLOSE,

    /** The connection is reset (an RST; in HTTP/2 the stream is). */
    RESET,

    /** Nothing more comes, and nothing is closed until the client goes or the longest delay is over. */
    STALL,
}

/**
 * How an answer is given where it is not simply written in full when it is due; the same for every protocol.
 *
 * The order is always: the delay, the head, [bodyDelayNanos], the body at its [pace]; and [fault] at the place [faultAt] of it.
 *
 * @property faultAt [BEFORE] the head, [HALFWAY] through the body, [AFTER] its end, or behind so many bytes of it.
 * @property closes the answer says `Connection: close`, and means it.
 * @property isGzipped the body is compressed, whatever the client accepts.
 */
internal class ResponseBehaviour(
    val bodyDelayNanos: Long = 0,
    val pace: Pace = Pace.FULL,
    val fault: Fault = Fault.NONE,
    val faultAt: Long = BEFORE,
    val closes: Boolean = false,
    val isGzipped: Boolean = false,
) {
    /** The fault comes instead of an answer. */
    val failsBefore: Boolean get() = fault != Fault.NONE && faultAt == BEFORE

    /** The fault comes behind an answer in full. */
    val failsAfter: Boolean get() = fault != Fault.NONE && faultAt == AFTER

    /** The fault comes behind the head, in the body or at its very end. */
    val failsInside: Boolean get() = fault != Fault.NONE && faultAt != BEFORE && faultAt != AFTER

    val isSlow: Boolean get() = bodyDelayNanos > 0 || pace !== Pace.FULL

    val isWhole: Boolean get() = !isSlow && !failsBefore && !failsInside

    /** How many of a body's [length] bytes are given before it ends or fails. */
    fun given(length: Long): Long = when {
        !failsInside -> length
        faultAt == HALFWAY -> length / 2
        else -> minOf(faultAt, length)
    }

    /** The least time from the head of an answer to the last of its body's [length] bytes. */
    fun bodyNanos(length: Long): Long = bodyDelayNanos + pace.nanosFor(length, length)

    /** The same for an answer without a body, of which nothing can be compressed or come slowly. */
    fun ofNothing(): ResponseBehaviour = if (this === PLAIN) this else ResponseBehaviour(fault = fault, faultAt = faultAt, closes = closes)

    companion object {
        const val BEFORE: Long = -1
        const val HALFWAY: Long = -2
        const val AFTER: Long = -3

        /** Written in full when it is due, and the connection kept. */
        val PLAIN: ResponseBehaviour = ResponseBehaviour()
    }
}

/**
 * How fast a body is given: so many bytes a second, or spread over a time, or as fast as it is taken.
 *
 * Byte k of a body, counted from one, is never given before k ÷ rate, so that n bytes take n ÷ rate in all.
 */
internal class Pace private constructor(private val bytesPerSecond: Long, private val overNanos: Long) {
    /** How many of [length] bytes may have been given [elapsed] nanoseconds after the body's beginning. */
    fun bytesBy(elapsed: Long, length: Long): Long = when {
        this === FULL || elapsed >= nanosFor(length, length) -> length
        elapsed <= 0 -> 0
        bytesPerSecond > 0 -> (elapsed.toDouble() * bytesPerSecond / NANOS).toLong().coerceAtMost(length - 1)
        else -> (elapsed.toDouble() * length / overNanos).toLong().coerceAtMost(length - 1)
    }

    /** When [bytes] of [length] bytes may have been given, in nanoseconds after the body's beginning. */
    fun nanosFor(bytes: Long, length: Long): Long = when {
        this === FULL || bytes == 0L -> 0
        bytesPerSecond > 0 -> Math.ceil(bytes.toDouble() * NANOS / bytesPerSecond).toLong()
        bytes >= length -> overNanos
        else -> Math.ceil(bytes.toDouble() * overNanos / length).toLong()
    }

    companion object {
        private const val NANOS = 1e9

        /** As fast as it is taken. */
        val FULL: Pace = Pace(0, 0)

        fun rate(bytesPerSecond: Long): Pace = Pace(bytesPerSecond, 0)

        fun over(nanos: Long): Pace = if (nanos == 0L) FULL else Pace(0, nanos)
    }
}
