package clientlab.burst

import clientlab.ClientInfo
import clientlab.Evidence
import clientlab.Factor
import clientlab.Payload
import clientlab.Protocol
import clientlab.Trial
import clientlab.client.Conditions
import clientlab.client.RequestEvents
import clientlab.client.Session
import clientlab.trial.BurstResult
import clientlab.trial.Judgement
import clientlab.trial.TrialSpec
import clientlab.trial.judgeBurst
import clientlab.trial.pathOf
import java.net.URI

/** What the treatment of a burst asks for, whoever answers it. */
internal class BurstAsked(
    private val spec: TrialSpec,
    private val burst: Burst,
) {
    val info: ClientInfo = burst.client(spec.treatment)
    val inFlight: Int = spec.treatment.number(Factor.IN_FLIGHT).toInt()
    val delayMs: Long = spec.treatment.number(Factor.DELAY_MS)
    private val protocol = Protocol.of(spec.treatment[Factor.PROTOCOL])
    private val payload = Payload.entries.first { it.label == (spec.treatment[Factor.PAYLOAD] ?: Payload.Text.label) }
    private val dispatch = Dispatch.entries.first { it.label == (spec.treatment[Factor.DISPATCHER] ?: Dispatch.AsCaller.label) }

    /** See [judgeBurst]; in HTTP/1.1 a connection carries one request at a time. */
    val keptConnections: Long? = info.expectedLeftovers.sumOf { it.connections.toLong() }.takeIf { !protocol.multiplexes }

    /** As many requests as will be measured, but at most two waves of them. */
    val warmUpRequests: Int = minOf(inFlight, 2 * (info.limit ?: inFlight))

    fun conditions(base: URI = spec.server.url(protocol), events: RequestEvents? = null): Conditions =
        Conditions(base, inFlight, protocol, payload = payload, events = events)

    fun send(session: Session, requests: Int, delayMs: Long): BurstResult =
        sendBurst(session, requests, payload, dispatch) { number -> pathOf(payload, delayMs, number) }

    /**
     * The burst again through the same session: what it then takes, and how many connections it opens that were not there before.
     *
     * @param witness forgets what the server saw, and returns how to ask it.
     */
    fun again(session: Session, witness: () -> () -> Evidence): Map<String, Double> {
        val results =
            List(burst.again) {
                val evidence = witness()
                send(session, inFlight, delayMs) to evidence()
            }
        val (result, evidence) = results.firstOrNull() ?: return emptyMap()
        return mapOf(
            "durationAgainMs" to result.durationMs,
            "connectionsOpenedAgain" to evidence.connectionsOpened.toDouble(),
            "failedAgain" to results.sumOf { (other, _) -> other.failed }.toDouble(),
        )
    }

    fun trial(judgement: Judgement, metrics: Map<String, Double>, result: BurstResult, evidence: Evidence, warmup: Boolean): Trial =
        Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = spec.treatment,
            warmup = warmup,
            outcome = judgement.outcome,
            reasons = judgement.reasons,
            warnings = judgement.warnings + protocolWarning(evidence),
            metrics = metrics,
            errors = result.errors,
            evidence = evidence,
        )

    private fun protocolWarning(evidence: Evidence): List<String> {
        val others = evidence.requestsByProtocol.filter { (label, count) -> count > 0 && label != protocol.wire }
        return others.map { (label, count) -> "$count requests came as $label where the treatment asks for ${protocol.label}." }
    }

    internal companion object {
        const val WARM_UP_DELAY_MS: Long = 100
    }
}
