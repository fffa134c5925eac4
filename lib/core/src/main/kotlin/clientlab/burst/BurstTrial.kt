package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import java.net.URI
import java.time.Instant
import java.util.Locale
import kotlin.time.Duration.Companion.seconds

/** Runs the trial of [burst] against the server that its treatment names; [date] is the system's. */
internal fun burstTrial(scope: TrialScope, burst: Burst, date: () -> Instant = Instant::now) {
    val jetty = scope.treatment[Factor.SERVER] == Server.Jetty.label
    val source = if (jetty) jettyEvidence(scope) else DelayServerEvidence(scope.server, scope.spec.server::url)
    source.use { BurstTrial(scope, burst, it, date).run() }
}

private fun jettyEvidence(scope: TrialScope): EvidenceSource {
    val base = scope.spec.peers[Peer.Jetty] ?: throw LabException("The treatment asks for Jetty, and the trial was not told where it is.")
    return JettyEvidence(URI(base), scope.server)
}

private class Sent(val session: Session, val openMs: Double, val result: BurstResult)

/**
 * One trial of a [Burst], in this JVM: a warm-up with its own session, then the measured burst with every probe. The baseline is taken when
 * the warm-up's session is closed and its request threads are gone: an idle pool that stayed would count as nothing new.
 */
private class BurstTrial(
    private val scope: TrialScope,
    private val burst: Burst,
    private val source: EvidenceSource,
    private val date: () -> Instant,
) {
    private val treatment = scope.treatment
    private val info = burst.client(treatment)
    private val client = scope.client()
    private val inFlight = scope.number(Factor.IN_FLIGHT)
    private val delayMs = treatment.number(Factor.DELAY_MS)
    private val protocol = Protocol.of(treatment[Factor.PROTOCOL])
    private val payload = Payload.entries.first { it.label == (treatment[Factor.PAYLOAD] ?: Payload.Text.label) }
    private val dispatch = Dispatch.entries.first { it.label == (treatment[Factor.DISPATCHER] ?: Dispatch.AsCaller.label) }
    private val hasBackgroundLoad = treatment[Factor.BACKGROUND] == BackgroundLoad.IdleIo.label
    private val threads = threadProbeOf(info)
    private val leakProbe = LeakProbe(threads, ThreadOwners(info.owners), source.probe, info.expectedLeftovers)

    fun run() {
        val warmUp = if (treatment[Factor.START] == Start.Warm.label) warmUp().also(scope::keep) else null
        scope.keep(measure().after(warmUp))
    }

    /** As many requests as in the measured burst, but at most two waves. It may be a wave on purpose, so it has no warnings. */
    private fun warmUp(): Trial {
        val requests = minOf(inFlight, 2 * (info.limit ?: inFlight))
        val before = threads.baseline()
        val open = forget()
        val result = client.open(conditions()).use { send(it, requests, WARM_UP_DELAY_MS) }
        val evidence = source.evidence()
        val leaks = leakProbe.look(before, open, PATIENCE)
        System.gc()
        val judgement =
            judgeBurst(requests, result, evidence, leaks, info.limit, snapshotKept = true, WARM_UP_DELAY_MS, keptConnections())
        return scope
            .trial(judgement, known(numbers(result, evidence)), evidence, warmup = true)
            .copy(leaks = leaks, errors = result.errors, warnings = emptyList())
    }

    private fun measure(): Trial {
        val watchedClocks = source.watchClocks(date)
        val open = forget()
        val baseline = threads.baseline()
        val watch = WorkWatch()
        val background = IdleIoTasks()
        probes(baseline) { if (hasBackgroundLoad) background.start() }.use { probes ->
            val events = EventLog(inFlight).takeIf { burst.timeline }
            val sent = send(events)
            val work = watch.finish()
            probes?.stop()
            val besideMs = background.await()
            val evidence = source.evidence()
            val found = probes?.found(evidence.peakInFlight) ?: BurstThreads()
            val (otherNumbers, otherWarnings) = source.others()
            val clocks = watchedClocks()
            val times = events?.let { BurstTimes(sent.result, it, source.requests(), clocks.server) }
            val repeated = sendAgain(sent.session)
            val closeMs = close(sent.session)
            val leaks = leakProbe.look(baseline, open, PATIENCE)
            val numbers =
                buildMap {
                    putAll(numbers(sent, work, evidence, found, baseline))
                    putAll(times?.metrics(delayMs).orEmpty() + repeated + otherNumbers)
                    tell(CommonMetrics.closeMs, closeMs)
                    tell(BurstMetrics.besideMs, besideMs)
                }
            val warnings = times?.warnings.orEmpty() + far(clocks.server) + protocolWarnings(evidence) + otherWarnings
            val judgement =
                judgeBurst(inFlight, sent.result, evidence, leaks, info.limit, found.kept, delayMs, keptConnections())
                    .and(clocks.reasons, clocks.warnings + warnings)
            return scope
                .trial(judgement, known(numbers), evidence)
                .copy(errors = sent.result.errors, timeline = times?.timeline?.sample(Timeline.MOST))
                .copy(leaks = leaks, threads = found.byOwner, curves = found.curves + ("latencyMs" to latencyCurve(sent.result)))
        }
    }

    private fun probes(baseline: ThreadBaseline, onPlateau: () -> Unit): BurstProbes? =
        if (burst.threads && source.knowsAll) BurstProbes(source.probe, threads, baseline, inFlight, delayMs, onPlateau) else null

    /** Has the server forget what it saw, and returns how many connections are open there. */
    private fun forget(): Long {
        source.reset()
        return if (source.knowsAll) source.evidence().connectionsOpen else 0
    }

    private fun conditions(events: RequestEvents? = null) =
        Conditions(source.address(protocol), inFlight, protocol, payload = payload, events = events)

    private fun send(session: Session, requests: Int, delayMs: Long): BurstResult =
        sendBurst(session, requests, payload, dispatch) { number -> pathOf(payload, delayMs, number) }

    private fun send(events: EventLog?): Sent {
        val opening = System.nanoTime()
        val session = client.open(conditions(events))
        val openMs = (System.nanoTime() - opening) / 1e6
        return Sent(session, openMs, send(session, inFlight, delayMs))
    }

    /** Sends the burst again through the same session: how long it takes then, and how many connections it opens. */
    private fun sendAgain(session: Session): Numbers {
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

    private fun close(session: Session): Double {
        val closing = System.nanoTime()
        session.close()
        return (System.nanoTime() - closing) / 1e6
    }

    private fun numbers(result: BurstResult, evidence: Evidence): Numbers =
        buildMap {
            tellRequests(result, evidence)
            tell(CommonMetrics.tlsHandshakes, evidence.tlsHandshakes)
            tell(BurstMetrics.requestsHttp1, evidence.requestsByProtocol["http/1.1"] ?: 0L)
            tell(CommonMetrics.serverOvershootP99Ms, evidence.overshootMs?.p99)
        }

    private fun numbers(sent: Sent, work: Work, evidence: Evidence, found: BurstThreads, baseline: ThreadBaseline): Numbers =
        buildMap {
            putAll(numbers(sent.result, evidence))
            tell(BurstMetrics.openMs, sent.openMs)
            tellWork(work, found.cpuSeconds, found.allocatedBytes)
            tell(BurstMetrics.threadsBefore, baseline.activeUnparked.size)
            tell(BurstMetrics.threadsAfter, threads.baseline().activeUnparked.size)
            tell(CommonMetrics.rssBaselineBytes, work.before.rssBytes)
            tell(CommonMetrics.rssPeakBytes, work.after.rssPeakBytes)
            putAll(found.metrics)
        }

    private fun known(numbers: Numbers) = if (source.knowsAll) numbers else numbers - NOT_KNOWN_ELSEWHERE

    /** See [judgeBurst]; in HTTP/1.1 a connection carries one request at a time. */
    private fun keptConnections(): Long? =
        info.expectedLeftovers.sumOf { it.connections.toLong() }.takeIf { source.knowsAll && !protocol.multiplexes }

    /** `[share of requests, ms]` at every whole percent. */
    private fun latencyCurve(result: BurstResult): List<List<Double>> =
        if (result.latenciesMs.isEmpty()) emptyList() else (0..100).map { listOf(it / 100.0, nearestRank(result.latenciesMs, it / 100.0)) }

    private fun protocolWarnings(evidence: Evidence): List<String> =
        evidence.requestsByProtocol
            .filter { (label, count) -> count > 0 && label != protocol.wire }
            .map { (label, count) -> "$count requests came as $label where the treatment asks for ${protocol.label}." }

    /** A warning about the error of the server's times, if they come over a network. */
    private fun far(clock: ServerClock): List<String> {
        if (!scope.spec.server.remote || !burst.timeline || !source.knowsAll) return emptyList()
        val ms = "%.1f".format(Locale.ROOT, clock.errorNanos / 1e6)
        return listOf("The server is elsewhere: when it saw a request is known here to within $ms ms.")
    }

    private companion object {
        private val PATIENCE = 2.seconds
        private const val WARM_UP_DELAY_MS = 100L

        /** The metrics that a trial does not have if its server is Jetty, which does not count connections. */
        private val NOT_KNOWN_ELSEWHERE: Set<Metric> =
            with(BurstMetrics) { setOf(connectionsOpenedAgain, threadsBefore, threadsAfter) } +
                with(CommonMetrics) { setOf(connectionsOpened, connectionsPerRequest, tlsHandshakes, closeMs) }
    }
}
