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
