package clientlab.server.answer

import clientlab.server.request.DataRoutes

/**
 * What kind of body an answer has.
 *
 * @property type what the content-type header says, or null for none.
 * @property key tells the kinds apart where heads are kept ready; below 10.
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

    /** What there is here, in the form that the client accepts: a promise that [DataRoutes.index] keeps. */
    data object Index : Content("text/plain; charset=utf-8", 8)

    /** A page of links, the same every time. */
    data object Page : Content("text/html; charset=utf-8", 3)

    /** Nothing: the answer to a method that has no body. */
    data object Nothing : Content(null, 4)

    /** What was sunk, which is known when the request has been read to its end; until then a promise of [Json]. */
    data object UploadReceipt : Content("application/json", 5)

    /**
     * [length] bytes of the repeated [BytePattern].
     *
     * @property flipAt which of them is altered, or -1 for none.
     */
    class Bytes(val length: Long, val flipAt: Long = -1) : Content("application/octet-stream", 6) {
        /**
         * The checksum that the head announces: eight hexadecimal digits, of the bytes as they are before they are compressed or altered.
         */
        fun crc32(): String = BytePattern.crc32(length).toString(16).padStart(8, '0')
    }
}
