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

/**
 * One trial of a [Burst], in this JVM: a warm-up with its own session, then the measured burst with every probe.
 *
 * The baseline is taken when the warm-up's session is closed and its request threads are gone: an idle pool that stayed would count as
 * nothing new.
 */
private class BurstTrial(
    private val scope: TrialScope,
    private val burst: Burst,
    private val source: EvidenceSource,
    private val date: () -> Instant,
) {
    private val plan = BurstPlan(scope, burst)
    private val info = plan.info
    private val client = scope.client()
    private val address = source.address(plan.protocol)
    private val hasBackgroundLoad = scope.treatment[Factor.BACKGROUND] == BackgroundLoad.IdleIo.label
    private val threads = threadProbeOf(info)
    private val leakProbe = LeakProbe(threads, ThreadOwners(info.owners), source.probe, info.expectedLeftovers)

    fun run() {
        val warmUp = if (scope.treatment[Factor.START] == Start.Warm.label) warmUp().also(scope::keep) else null
        scope.keep(measure().after(warmUp))
    }

    /** Each request of the warm-up is answered soon. It may be a wave on purpose, so it has no warnings. */
    private fun warmUp(): Trial {
        val before = threads.baseline()
        val open = forget()
        val result = client.open(plan.conditions(address)).use { plan.send(it, plan.warmUpRequests, BurstPlan.WARM_UP_DELAY_MS) }
        val evidence = source.evidence()
        val leaks = leakProbe.look(before, open, PATIENCE)
        System.gc()
        val judgement =
            judgeBurst(
                plan.warmUpRequests,
                result,
                evidence,
                leaks,
                info.limit,
                snapshotKept = true,
                BurstPlan.WARM_UP_DELAY_MS,
                keptConnections,
            )
        val trial = scope.trial(judgement, known(burstNumbers(result, evidence)), evidence, warmup = true)
        return trial.copy(leaks = leaks, errors = result.errors, warnings = emptyList())
    }

    private fun measure(): Trial {
        val watchedClocks = source.watchClocks(date)
        val open = forget()
        val baseline = threads.baseline()
        val before = ProcessProbe.read()
        val background = IdleIoTasks()
        val onPlateau = { if (hasBackgroundLoad) background.start() }
        val counted = burst.threads && source.knowsAll
        val probes = if (counted) BurstProbes(source.probe, threads, baseline, plan.inFlight, plan.delayMs, onPlateau) else null
        probes.use {
            val events = EventLog(plan.inFlight).takeIf { burst.timeline }
            val sent = send(events)
            val work = Work(before, ProcessProbe.read())
            probes?.stop()
            val besideMs = background.await()
            val evidence = source.evidence()
            val found = probes?.found(evidence.peakInFlight) ?: BurstThreads()
            val (otherNumbers, otherWarnings) = source.others()
            val clocks = watchedClocks()
            val times = events?.let { BurstTimes(sent.result, it, source.requests(), clocks.server) }
            val repeated = plan.again(sent.session, source)
            val closeMs = close(sent.session)
            val leaks = leakProbe.look(baseline, open, PATIENCE)
            val numbers =
                buildMap {
                    putAll(numbers(sent, work, evidence, found, baseline))
                    times?.let { putAll(it.metrics(plan.delayMs)) }
                    putAll(repeated)
                    tell(CommonMetrics.closeMs, closeMs)
                    tell(BurstMetrics.besideMs, besideMs)
                    putAll(otherNumbers)
                }
            val judgement =
                judgeBurst(plan.inFlight, sent.result, evidence, leaks, info.limit, found.kept, plan.delayMs, keptConnections)
                    .and(clocks.reasons, clocks.warnings + times?.warnings.orEmpty() + far(clocks.server))
                    .and(emptyList(), plan.protocolWarnings(evidence) + otherWarnings)
            return scope
                .trial(judgement, known(numbers), evidence)
                .copy(errors = sent.result.errors, timeline = times?.timeline?.sample(Timeline.MOST))
                .copy(leaks = leaks, threads = found.byOwner, curves = found.curves + ("latencyMs" to latencyCurve(sent.result)))
        }
    }

    private fun numbers(sent: Sent, work: Work, evidence: Evidence, found: BurstThreads, baseline: ThreadBaseline): Numbers =
        buildMap {
            putAll(burstNumbers(sent.result, evidence))
            tell(BurstMetrics.openMs, sent.openMs)
            tellWork(work, found.cpuSeconds, found.allocatedBytes)
            tell(BurstMetrics.threadsBefore, baseline.activeUnparked.size)
            tell(BurstMetrics.threadsAfter, threads.baseline().activeUnparked.size)
            tell(CommonMetrics.rssBaselineBytes, work.before.rssBytes)
            tell(CommonMetrics.rssPeakBytes, work.after.rssPeakBytes)
            putAll(found.metrics)
        }

    /** Has the server forget what it saw, and returns how many connections are open there. */
    private fun forget(): Long {
        source.reset()
        return if (source.knowsAll) source.evidence().connectionsOpen else 0
    }

    private val keptConnections: Long? get() = plan.keptConnections.takeIf { source.knowsAll }

    private fun known(numbers: Numbers) = if (source.knowsAll) numbers else numbers - NOT_KNOWN_ELSEWHERE

    private fun send(events: EventLog?): Sent {
        val opening = System.nanoTime()
        val session = client.open(plan.conditions(address, events))
        val openMs = (System.nanoTime() - opening) / 1e6
        return Sent(session, openMs, plan.send(session, plan.inFlight, plan.delayMs))
    }

    private fun close(session: Session): Double {
        val closing = System.nanoTime()
        session.close()
        return (System.nanoTime() - closing) / 1e6
    }

    /** A warning about the error of the server's times, if they come over a network. */
    private fun far(clock: ServerClock): List<String> {
        if (!scope.spec.server.remote || !burst.timeline || !source.knowsAll) return emptyList()
        val ms = "%.1f".format(Locale.ROOT, clock.errorNanos / 1e6)
        return listOf("The server is elsewhere: when it saw a request is known here to within $ms ms.")
    }

    private companion object {
        private val PATIENCE = 2.seconds
    }
}

/** The session that a burst was sent through, how long it took to open, and what came of the burst. */
private class Sent(val session: Session, val openMs: Double, val result: BurstResult)
