package clientlab.burst

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.net.URI
import java.time.Instant
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The server that answers a burst, as the witness of what it saw.
 *
 * @property probe the connection to its control port.
 * @property knowsAll whether it also counts connections, has a clock, and can be asked while requests are in flight. Otherwise a trial has
 *   no count of threads or connections and no times of the server.
 */
internal interface EvidenceSource : AutoCloseable {
    val probe: ServerProbe
    val knowsAll: Boolean

    fun address(protocol: Protocol): URI

    fun reset()

    /** What the server saw since the last [reset]. */
    fun evidence(): Evidence

    fun requests(): List<SeenRequest> = emptyList()

    /** Numbers of its own about the burst that has just ended, and the warnings that they give. */
    fun others(): Pair<Numbers, List<String>> = emptyMap<Metric, Double>() to emptyList()

    /** Watches its clock and the system's [date] from now on; returns how to end that. */
    fun watchClocks(date: () -> Instant): () -> ClocksSeen
}

/** The delay server: it knows all that a trial asks for. */
internal class DelayServerEvidence(override val probe: ServerProbe, private val urlOf: (Protocol) -> URI) : EvidenceSource {
    override val knowsAll: Boolean get() = true

    override fun address(protocol: Protocol): URI = urlOf(protocol)

    override fun reset() = probe.reset()

    override fun evidence(): Evidence = probe.evidence()

    override fun requests(): List<SeenRequest> = probe.requests().requests

    override fun watchClocks(date: () -> Instant): () -> ClocksSeen = ClockWatch(probe::clock, date)::finish

    /** Its probe is the trial's own and stays open. */
    override fun close() {}
}

/**
 * Jetty, the server of source 004. It counts requests, in all and in flight, by version, and knows nothing of connections. Its accept queue
 * holds 50, and the system tries a connection again after a second where the queue is full. Here that is a finding and no fault of the
 * trial, so the overflows of the whole machine are counted, by [delayServer], and the trial has a warning.
 */
internal class JettyEvidence(private val base: URI, private val delayServer: ServerProbe) : EvidenceSource {
    override val probe: ServerProbe = ServerProbe(ServerAddress(base.host, base.port, base.port))
    override val knowsAll: Boolean get() = false

    override fun address(protocol: Protocol): URI = base

    override fun reset() {
        probe.reset()
        delayServer.reset()
    }

    /**
     * What Jetty saw, once nothing is in flight: it counts an answer when it has handed it over, and the client may have read it before.
     * What it counts as answered is answered rightly as far as it knows; the client checks the status.
     */
    override fun evidence(): Evidence {
        val until = TimeSource.Monotonic.markNow() + PATIENCE
        var evidence = probe.evidence()
        while (evidence.inFlight > 0 && until.hasNotPassedNow()) {
            Thread.sleep(SETTLE_MS)
            evidence = probe.evidence()
        }
        return evidence.copy(answeredOk = evidence.answered)
    }

    override fun others(): Pair<Numbers, List<String>> {
        val overflows = delayServer.evidence().listenOverflows ?: return super.others()
        val sentence =
            "An accept queue on this machine ran over $overflows times; a connection that is tried again comes a second or more later."
        return mapOf(BurstMetrics.listenOverflows to overflows.toDouble()) to listOf(sentence).filter { overflows > 0 }
    }

    override fun watchClocks(date: () -> Instant): () -> ClocksSeen = { ClocksSeen(ServerClock(0, 0), 0, 0) }

    override fun close() = probe.close()
}

private val PATIENCE = 2.seconds
private const val SETTLE_MS = 5L
