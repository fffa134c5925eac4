package clientlab.server.answer

/**
 * The answer to a request: decided when the head has been read, and written when it is due. It is the same for every protocol.
 *
 * @property delayNanos how long the answer must be held, or [NO_DELAY] if the request is no good request for a measurement.
 * @property headers further headers, with their names in lower case.
 */
internal class Answer(
    val status: Int,
    val text: String,
    val delayNanos: Long = NO_DELAY,
    val content: Content = Content.Text,
    val behaviour: ResponseBehaviour = ResponseBehaviour.PLAIN,
    val headers: Map<String, String> = emptyMap(),
) {
    val isDelayed: Boolean get() = delayNanos != NO_DELAY

    /** Whether head and body go out in one piece when the answer is due; if not, the body follows its head in pieces. */
    val isWhole: Boolean get() = behaviour.isWhole && (content !is Content.Bytes || behaviour.isGzipped)

    /** Whether the head says the length of the body; for some statuses it must not (RFC 9110, 8.6). */
    val hasLength: Boolean get() = status != 204 && status != 304
}

/** Marks an [Answer] that is given as soon as its turn comes; it is no measurement. */
internal const val NO_DELAY: Long = -1

/**
 * The kind of an answer's body.
 *
 * @property type the content-type header, or null for none.
 * @property key a number below 10 by which kept heads are found again.
 */
internal sealed class Content(val type: String?, val key: Int) {
    /** The answer's own sentence; [Json] and [Html] likewise. */
    data object Text : Content("text/plain; charset=utf-8", 0)

    data object Json : Content("application/json", 1)

    data object Html : Content("text/html; charset=utf-8", 7)

    /** The time at which the answer is written, as JSON. */
    data object DateTime : Content("application/json", 2)

    /** A page of links, the same every time. */
    data object Page : Content("text/html; charset=utf-8", 3)

    data object Nothing : Content(null, 4)

    /** The index, in the form that the client accepts; a placeholder until the accept header is known. */
    data object Index : Content("text/plain; charset=utf-8", 8)

    /** Length and checksum of an upload; a placeholder until the request has been read to its end, then [Json]. */
    data object UploadReceipt : Content("application/json", 5)

    /** [length] bytes of the repeated [BytePattern], of which the one at [flipAt] is altered, or none if that is -1. */
    class Bytes(val length: Long, val flipAt: Long = -1) : Content("application/octet-stream", 6) {
        /** The checksum that the head announces, computed before the bytes are compressed or altered. */
        fun crc32(): String = crcText(BytePattern.crc32(length))
    }
}

/** A CRC-32 in eight hexadecimal digits. */
internal fun crcText(crc: Long): String = crc.toString(16).padStart(8, '0')
