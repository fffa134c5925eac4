package clientlab.burst

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.net.URI
import java.time.Instant
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Jetty, the server of source 004. It counts requests, in all and in flight, by version, and knows nothing of connections.
 *
 * Its accept queue holds 50. The system tries a connection again after a second where the queue is full. Here that is a finding and no fault
 * of the trial, so the overflows of the whole machine are counted, by [delayServer], and the trial has a warning.
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
     * What Jetty saw, once nothing is in flight: it counts an answer when it has handed it over, and the client may have read it before. What
     * it counts as answered is answered rightly as far as it knows; the client checks the status.
     */
    override fun evidence(): Evidence {
        val patience = TimeSource.Monotonic.markNow() + PATIENCE
        var evidence = probe.evidence()
        while (evidence.inFlight > 0 && patience.hasNotPassedNow()) {
            Thread.sleep(SETTLE_MS)
            evidence = probe.evidence()
        }
        return evidence.copy(answeredOk = evidence.answered)
    }

    override fun others(): Pair<Numbers, List<String>> {
        val overflows = delayServer.evidence().listenOverflows
        val sentence =
            "An accept queue on this machine ran over $overflows times; a connection that is tried again comes a second or more later."
        val numbers = buildMap<Metric, Double> { tell(BurstMetrics.listenOverflows, overflows) }
        return numbers to listOf(sentence).filter { (overflows ?: 0) > 0 }
    }

    override fun watchClocks(date: () -> Instant): () -> ClocksSeen = { ClocksSeen(ServerClock(0, 0), 0, 0) }

    override fun close() = probe.close()

    private companion object {
        private val PATIENCE = 2.seconds
        private const val SETTLE_MS = 5L
    }
}
