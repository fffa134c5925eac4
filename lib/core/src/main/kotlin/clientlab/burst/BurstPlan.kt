package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import java.net.URI

/** What the treatment of a burst asks for, whichever server answers. */
internal class BurstPlan(scope: TrialScope, private val burst: Burst) {
    private val treatment = scope.treatment
    val info: ClientInfo = burst.client(treatment)
    val inFlight: Int = scope.number(Factor.IN_FLIGHT)
    val delayMs: Long = treatment.number(Factor.DELAY_MS)
    val protocol: Protocol = Protocol.of(treatment[Factor.PROTOCOL])
    private val payload = Payload.entries.first { it.label == (treatment[Factor.PAYLOAD] ?: Payload.Text.label) }
    private val dispatch = Dispatch.entries.first { it.label == (treatment[Factor.DISPATCHER] ?: Dispatch.AsCaller.label) }

    /** See [clientlab.trial.judgeBurst]; in HTTP/1.1 a connection carries one request at a time. */
    val keptConnections: Long? = info.expectedLeftovers.sumOf { it.connections.toLong() }.takeIf { !protocol.multiplexes }

    /** As many requests as in the measured burst, but at most two waves. */
    val warmUpRequests: Int = minOf(inFlight, 2 * (info.limit ?: inFlight))

    fun conditions(address: URI, events: RequestEvents? = null): Conditions =
        Conditions(address, inFlight, protocol, payload = payload, events = events)

    fun send(session: Session, requests: Int, delayMs: Long): BurstResult =
        sendBurst(session, requests, payload, dispatch) { number -> pathOf(payload, delayMs, number) }

    /** Sends the burst again through the same session: how long it takes then, and how many connections it opens. */
    fun again(session: Session, source: EvidenceSource): Numbers {
        val results =
            List(burst.again) {
                source.reset()
                send(session, inFlight, delayMs) to source.evidence()
            }
        val (result, evidence) = results.firstOrNull() ?: return emptyMap()
        return buildMap {
            tell(BurstMetrics.durationAgainMs, result.durationMs)
            tell(BurstMetrics.connectionsOpenedAgain, evidence.connectionsOpened)
            tell(BurstMetrics.failedAgain, results.sumOf { (other, _) -> other.failed })
        }
    }

    /** A warning for each protocol that requests came by and the treatment does not ask for. */
    fun protocolWarnings(evidence: Evidence): List<String> =
        evidence.requestsByProtocol
            .filter { (label, count) -> count > 0 && label != protocol.wire }
            .map { (label, count) -> "$count requests came as $label where the treatment asks for ${protocol.label}." }

    internal companion object {
        const val WARM_UP_DELAY_MS: Long = 100
    }
}
