package clientlab.burst

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.net.URI
import java.time.Instant

/**
 * The server that answers a burst, as the witness of what it saw. A server that knows less than the delay server says so.
 *
 * @property probe the connection to its control port.
 * @property knowsAll whether it also counts connections, has a clock, and can be asked while requests are in flight. Where it does not,
 *   a trial has no count of threads or connections and no times of the server.
 */
internal interface EvidenceSource : AutoCloseable {
    val probe: ServerProbe
    val knowsAll: Boolean

    /** Where requests of [protocol] go. */
    fun address(protocol: Protocol): URI

    /** Forgets what the server saw so far. */
    fun reset()

    /** What the server saw since the last [reset]. */
    fun evidence(): Evidence

    /** Single requests as the server saw them; none where it does not tell. */
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
