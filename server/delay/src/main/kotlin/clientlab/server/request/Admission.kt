package clientlab.server.request

import clientlab.server.answer.*
import clientlab.server.evidence.*
import io.netty.handler.codec.http.HttpMethod

/**
 * Decides what a request is answered, and refuses requests if there are too many or they are too large.
 *
 * Not thread-safe: all connections of the one event loop share it.
 */
internal class Admission(private val routes: DataRoutes, val evidence: ServerEvidence, private val settings: PortSettings) {
    private val rate = if (settings.maxRate > 0) RateLimiter(settings.maxRate) else null

    /** The longest that anything is held, a stall too. */
    val longestNanos: Long get() = routes.longestNanos

    /** Whether as many requests are in flight as there may be. */
    val isFull: Boolean get() = evidence.inFlight >= settings.maxInFlight

    /** The answer to a request; [accept] gives its accept header, which only the index needs. */
    inline fun answer(method: HttpMethod, target: String, accept: () -> String?): Answer {
        val answer = routes.answer(method, target)
        return if (answer.content == Content.Index) routes.index(accept()) else answer
    }

    /** The answer that refuses a good request at [now] because there are too many; null if it may be held. */
    fun refusal(now: Long): Answer? = when {
        rate != null && !rate.takes(now) -> rate.refusal()
        isFull -> overloaded()
        else -> null
    }

    fun overloaded(): Answer = Answer(
        503,
        "${settings.maxInFlight} requests are in flight already: ask for fewer, or start the server with a larger --max-in-flight.",
        headers = RETRY,
    )

    /** The answer to the first request of a connection that is one too many; counts that connection as refused. */
    fun tooManyConnections(): Answer {
        evidence.connectionRefused()
        return Answer(
            503,
            "${settings.maxConnections} connections are open already: open fewer, or start the server with a larger --max-connections.",
            headers = RETRY,
        )
    }

    fun mostBodyBytes(answer: Answer): Long = if (answer.content == Content.UploadReceipt) MAX_BYTES else MOST_BODY_BYTES

    fun tooLarge(answer: Answer): Answer = Answer(413, "The body is longer than ${mostBodyBytes(answer)} bytes: send less.")

    private companion object {
        const val MOST_BODY_BYTES = 1_048_576L
        val RETRY = mapOf("retry-after" to "1")
    }
}
