package clientlab.server.request

import clientlab.server.answer.*
import clientlab.server.evidence.*
import io.netty.handler.codec.http.HttpMethod
import kotlin.math.ceil
import kotlin.time.Duration

/** The settings of a server that concern its requests and their connections. */
internal interface PortSettings {
    val maxDelay: Duration
    val maxInFlight: Int
    val maxConnections: Int
    val maxRate: Int
    val maxBurst: Int?
    val maxStreams: Int?
    val headTimeout: Duration
    val idleTimeout: Duration
    val takesUpgrades: Boolean
}

/** Decides what a request is answered, and refuses requests if there are too many or they are too large. Not thread-safe. */
internal class Admission(private val routes: DataRoutes, val evidence: ServerEvidence, private val settings: PortSettings) {
    private val rate = if (settings.maxRate > 0) RateLimiter(settings.maxRate, settings.maxBurst) else null
    val longestNanos: Long get() = routes.longestNanos
    val isFull: Boolean get() = evidence.inFlight >= settings.maxInFlight

    /** The answer to a request; [accept] gives its accept header, which only the index needs. */
    inline fun answer(method: HttpMethod, target: String, accept: () -> String?): Answer {
        val answer = routes.answer(method, target)
        return if (answer.content == Content.Index) routes.index(accept()) else answer
    }

    /** The answer to a request for a WebSocket, or null if [target] opens none. */
    fun messages(target: String): Answer? = routes.messages(target)

    /** The answer that refuses a good request at [now] because there are too many; null if it may be held. */
    fun refusal(now: Long): Answer? = when {
        rate != null && !rate.takes(now) -> rate.refusal()
        isFull -> overloaded()
        else -> null
    }

    fun overloaded(): Answer = unavailable(
        "${settings.maxInFlight} requests are in flight already: ask for fewer, or start the server with a larger --max-in-flight.",
    )

    /** The answer to the first request of a connection that is one too many; counts that connection as refused. */
    fun tooManyConnections(): Answer {
        evidence.counts.connectionsRefused++
        val most = settings.maxConnections
        return unavailable("$most connections are open already: open fewer, or start the server with a larger --max-connections.")
    }

    private fun unavailable(sentence: String) = Answer(503, sentence, headers = RETRY)

    fun mostBodyBytes(answer: Answer): Long = if (answer.content == Content.UploadReceipt) MAX_BYTES else 1_048_576

    fun tooLarge(answer: Answer): Answer = Answer(413, "The body is longer than ${mostBodyBytes(answer)} bytes: send less.")
}

private val RETRY = mapOf("retry-after" to "1")

/**
 * Limits requests as metered services do: a bucket of [burst] requests, by default those of a second, full at first and filled again evenly
 * with [perSecond]. Not thread-safe.
 */
internal class RateLimiter(private val perSecond: Int, burst: Int? = null, now: Long = System.nanoTime()) {
    private val most = (burst ?: perSecond).toDouble()
    private var left = most
    private var filledAt = now

    fun takes(now: Long): Boolean {
        left = minOf(most, left + (now - filledAt) * perSecond / 1e9)
        filledAt = now
        if (left < 1) return false
        left--
        return true
    }

    fun refusal(): Answer {
        val seconds = ceil((1 - left) / perSecond).toInt().coerceAtLeast(1)
        val why = "This server takes $perSecond requests a second, and more have come: send fewer, or start it with a larger --max-rate."
        return Answer(429, why, headers = mapOf("retry-after" to "$seconds"))
    }
}
