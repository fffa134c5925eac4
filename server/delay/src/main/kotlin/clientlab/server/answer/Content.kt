package clientlab.server.answer

/**
 * The kind of an answer's body.
 *
 * @property type the content-type header, or null for none.
 * @property key a number below 10 by which kept heads are found again.
 */
internal sealed class Content(val type: String?, val key: Int) {
    /** The answer's own sentence. */
    data object Text : Content("text/plain; charset=utf-8", 0)

    /** The answer's own text, which is JSON. */
    data object Json : Content("application/json", 1)

    /** The time at which the answer is written, as JSON. */
    data object DateTime : Content("application/json", 2)

    /** The answer's own text, which is HTML. */
    data object Html : Content("text/html; charset=utf-8", 7)

    /** The index, in the form that the client accepts; a placeholder until the accept header is known. */
    data object Index : Content("text/plain; charset=utf-8", 8)

    /** A page of links, the same every time. */
    data object Page : Content("text/html; charset=utf-8", 3)

    /** No body. */
    data object Nothing : Content(null, 4)

    /** Length and checksum of an upload; a placeholder until the request has been read to its end, then [Json]. */
    data object UploadReceipt : Content("application/json", 5)

    /**
     * [length] bytes of the repeated [BytePattern].
     *
     * @property flipAt which byte is altered, or -1 for none.
     */
    class Bytes(val length: Long, val flipAt: Long = -1) : Content("application/octet-stream", 6) {
        /** The checksum that the head announces: eight hexadecimal digits, computed before the bytes are compressed or altered. */
        fun crc32(): String = BytePattern.crc32(length).toString(16).padStart(8, '0')
    }
}
