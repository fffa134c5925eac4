package clientlab.server.answer

/** How a connection or an answer ends because the request asked for it. */
internal enum class Fault {
    NONE,
    CLOSE, // a FIN; in HTTP/2 all streams of the connection end
    RESET, // an RST; in HTTP/2 of the stream
    STALL, // no more bytes come, and the connection stays open until the client goes or the longest delay is over
}

/**
 * How an answer is given, in every protocol. The order is: the delay, the head, [bodyDelayNanos], the body at its [pace].
 *
 * @property faultAt where the [fault] comes: [BEFORE] the head, [HALFWAY] through the body, [AFTER] it, or after this many bytes of it.
 * @property closes the answer says `Connection: close`, and the server closes behind it.
 */
internal class ResponseBehaviour(
    val bodyDelayNanos: Long = 0,
    val pace: Pace = Pace.FULL,
    val fault: Fault = Fault.NONE,
    val faultAt: Long = BEFORE,
    val closes: Boolean = false,
    val isGzipped: Boolean = false,
) {
    val failsBefore: Boolean get() = fault != Fault.NONE && faultAt == BEFORE
    val failsAfter: Boolean get() = fault != Fault.NONE && faultAt == AFTER
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

    /** The same for an answer without a body: there is nothing to compress or to slow down. */
    fun ofNothing(): ResponseBehaviour = if (this === PLAIN) this else ResponseBehaviour(fault = fault, faultAt = faultAt, closes = closes)

    companion object {
        const val BEFORE: Long = -1
        const val HALFWAY: Long = -2
        const val AFTER: Long = -3
        val PLAIN: ResponseBehaviour = ResponseBehaviour()
    }
}

/**
 * How fast a body is given: a number of bytes per second, or spread over a time, or as fast as the client takes it.
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

        /** As fast as the client takes it. */
        val FULL: Pace = Pace(0, 0)

        fun rate(bytesPerSecond: Long): Pace = Pace(bytesPerSecond, 0)

        fun over(nanos: Long): Pace = if (nanos == 0L) FULL else Pace(0, nanos)
    }
}
