package clientlab.server.answer

import clientlab.server.request.BodyStream

/**
 * What is said to a request, decided when its head has been read and written when it is due; knows nothing of how it travels.
 *
 * @property delayNanos how long the answer must be held, or [NO_DELAY] for whatever is no good request for a measurement.
 * @property headers further ones, with their names in lower case.
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

    /** Whether head and body go out in one piece when the answer is due; else the body follows its head by [BodyStream] or alike. */
    val isWhole: Boolean get() = behaviour.isWhole && (content !is Content.Bytes || behaviour.isGzipped)

    /** Whether a head says the length of its body, which for some statuses it must not: RFC 9110, 8.6. */
    val hasLength: Boolean get() = status != 204 && status != 304
}

/** Marks an [Answer] that is given as soon as its turn comes, and is no measurement. */
internal const val NO_DELAY: Long = -1
