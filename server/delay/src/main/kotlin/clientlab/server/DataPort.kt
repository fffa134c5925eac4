package clientlab.server

/** What all connections of a data port share, and what they may take of it; belongs to its one event loop. */
internal class DataPort(
    val routes: DataRoutes,
    val evidence: ServerEvidence,
    private val settings: ServerSettings,
    val bytes: AnswerBytes = AnswerBytes(),
) {
    private val rate = if (settings.maxRate > 0) RateCap(settings.maxRate) else null

    val maxInFlight: Int get() = settings.maxInFlight

    /** All connections, of every protocol. */
    val connections: ConnectionWatch = ConnectionWatch()

    /** How long the head of a first request may take, and how long a connection may lie unused, in nanoseconds. */
    val headNanos: Long = settings.headTimeout.inWholeNanoseconds
    val idleNanos: Long = settings.idleTimeout.inWholeNanoseconds

    /** Whether a connection that has just been added is one too many: its first request is then answered by [tooManyConnections]. */
    fun hasTooManyConnections(): Boolean = settings.maxConnections in 1..<connections.size

    fun tooManyConnections(): Answer {
        evidence.connectionRefused()
        return Answer(
            503,
            "${settings.maxConnections} connections are open already: open fewer, or start the server with a larger --max-connections.",
            headers = RETRY,
        )
    }

    /** What is said to a good request of which there are too many, at [now]; or null where it may be held. */
    fun refusal(now: Long): Answer? = when {
        rate != null && !rate.takes(now) -> rate.refusal()
        evidence.inFlight >= maxInFlight -> overloaded()
        else -> null
    }

    fun overloaded(): Answer = Answer(
        503,
        "$maxInFlight requests are in flight already: ask for fewer, or start the server with a larger --max-in-flight.",
        headers = RETRY,
    )

    private companion object {
        val RETRY = mapOf("retry-after" to "1")
    }
}
