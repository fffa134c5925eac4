package clientlab.server.answer

/** The answer to a request, in every protocol: decided when the head has been read, and written when it is due. */
internal class Answer(
    val status: Int,
    val text: String,
    val delayNanos: Long = NO_DELAY, // how long the answer must be held
    val content: Content = Content.Text,
    val behaviour: ResponseBehaviour = ResponseBehaviour.PLAIN,
    val headers: Map<String, String> = emptyMap(), // further headers, with their names in lower case
) {
    val isDelayed: Boolean get() = delayNanos != NO_DELAY

    /** Whether head and body go out in one piece when the answer is due; if not, the body follows its head in pieces. */
    val isWhole: Boolean get() = behaviour.isWhole && content !is Content.Stream && (content !is Content.Bytes || behaviour.isGzipped)

    /** Whether the head says the length of the body; for some statuses it must not (RFC 9110, 8.6), and a stream has none to say. */
    val hasLength: Boolean get() = status != 204 && status != 304 && content !is Content.Stream
}

/** Marks an [Answer] that is given as soon as its turn comes; it is no measurement. */
internal const val NO_DELAY: Long = -1

/** The kind of an answer's body: its content-type header, if any, and a [key] below 10 by which kept heads are found again. */
internal sealed class Content(val type: String?, val key: Int) {
    data object Text : Content("text/plain; charset=utf-8", 0) // the answer's own; Json and Html likewise

    data object Json : Content("application/json", 1)

    data object Html : Content("text/html; charset=utf-8", 7)

    data object DateTime : Content("application/json", 2) // the time at which the answer is written

    data object Page : Content("text/html; charset=utf-8", 3) // of links, the same every time

    data object Nothing : Content(null, 4)

    data object Index : Content("text/plain; charset=utf-8", 8) // replaced as soon as the accept header is known

    data object UploadReceipt : Content("application/json", 5) // replaced by Json when the request has been read to its end

    /** [length] bytes of the repeated [BytePattern], of which the one at [flipAt] is altered, or none if that is -1. */
    class Bytes(val length: Long, val flipAt: Long = -1) : Content("application/octet-stream", 6) {
        /** The checksum that the head announces, computed before the bytes are compressed or altered. */
        fun crc32(): String = crcText(BytePattern.crc32(length))
    }

    /** [count] pieces of [size] bytes each: a number and a text, in the form of a server-sent event. */
    sealed class Stream(type: String?, val size: Int, val count: Long) : Content(type, 9)

    class Events(size: Int, count: Long) : Stream("text/event-stream", size, count)

    /** Each piece is a message of a WebSocket; with status 101 alone. */
    class Messages(size: Int, count: Long) : Stream(null, size, count)
}

/** A CRC-32 in eight hexadecimal digits. */
internal fun crcText(crc: Long): String = crc.toString(16).padStart(8, '0')

/** How a connection or an answer ends because the request asked for it. */
internal enum class Fault {
    NONE,
    CLOSE, // a FIN; in HTTP/2 all streams of the connection end
    RESET, // an RST; in HTTP/2 of the stream
    STALL, // no more bytes come, and the connection stays open until the client goes or the longest delay is over
}

/**
 * How an answer is given, in every protocol. The order is: the delay, the head, [bodyDelayNanos], the body at its [pace]. The [fault] comes
 * [BEFORE] the head, [HALFWAY] through the body, [AFTER] it, or after [faultAt] bytes of it.
 */
internal class ResponseBehaviour(
    val bodyDelayNanos: Long = 0,
    val pace: Pace = Pace.FULL,
    val fault: Fault = Fault.NONE,
    val faultAt: Long = BEFORE,
    val closes: Boolean = false, // says Connection: close
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
 * How fast a body is given: a number of bytes per second, or spread over a time, or in pieces with a time between them, or as fast as the
 * client takes it. Byte k of a body, counted from one, is never given before k ÷ rate, so that n bytes take n ÷ rate in all. The first piece
 * is given at once.
 */
internal class Pace private constructor(
    private val bytesPerSecond: Long,
    private val overNanos: Long,
    private val pieceBytes: Int = 0,
    private val everyNanos: Long = 0,
) {
    /** How many of [length] bytes may have been given [elapsed] nanoseconds after the body's beginning. */
    fun bytesBy(elapsed: Long, length: Long): Long = when {
        this === FULL || elapsed >= nanosFor(length, length) -> length
        everyNanos > 0 && elapsed >= 0 -> (elapsed / everyNanos + 1) * pieceBytes
        elapsed <= 0 -> 0
        bytesPerSecond > 0 -> (elapsed.toDouble() * bytesPerSecond / NANOS).toLong().coerceAtMost(length - 1)
        else -> (elapsed.toDouble() * length / overNanos).toLong().coerceAtMost(length - 1)
    }

    /** When [bytes] of [length] bytes may have been given, in nanoseconds after the body's beginning. */
    fun nanosFor(bytes: Long, length: Long): Long = when {
        this === FULL || bytes == 0L -> 0
        everyNanos > 0 -> (bytes - 1) / pieceBytes * everyNanos
        bytesPerSecond > 0 -> Math.ceil(bytes.toDouble() * NANOS / bytesPerSecond).toLong()
        bytes >= length -> overNanos
        else -> Math.ceil(bytes.toDouble() * overNanos / length).toLong()
    }

    /** The longest time in which no byte of a body of [length] bytes may be given. */
    fun pauseNanos(length: Long): Long = if (everyNanos > 0) everyNanos else nanosFor(1, length)

    companion object {
        private const val NANOS = 1e9
        val FULL: Pace = Pace(0, 0)

        fun rate(bytesPerSecond: Long): Pace = Pace(bytesPerSecond, 0)

        fun over(nanos: Long): Pace = if (nanos == 0L) FULL else Pace(0, nanos)

        /** A piece of [bytes] bytes every [nanos] nanoseconds. */
        fun pieces(bytes: Int, nanos: Long): Pace = if (nanos == 0L) FULL else Pace(0, 0, bytes, nanos)
    }
}
