package clientlab.burst

import clientlab.Factor
import clientlab.Start
import clientlab.Timeline
import clientlab.Trial
import clientlab.client.BlockingSession
import clientlab.client.Client
import clientlab.probe.ClockWatch
import clientlab.probe.EventLog
import clientlab.probe.LeakProbe
import clientlab.probe.ProcessProbe
import clientlab.probe.ServerClock
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadOwners
import clientlab.probe.ThreadProbe
import clientlab.trial.TrialSpec
import clientlab.trial.after
import clientlab.trial.client
import clientlab.trial.judgeBurst
import java.time.Instant
import java.util.Locale
import kotlin.time.Duration.Companion.seconds

/**
 * One trial of a [Burst], in this JVM: a warm-up with a session of its own, then the measured burst with every probe.
 *
 * The baseline is taken when the warm-up's session is closed and its request threads are gone, for a pool that idles on into the measured
 * burst would count as nothing new.
 */
internal class BurstTrial(
    private val spec: TrialSpec,
    private val burst: Burst,
    private val client: Client,
    private val server: ServerProbe,
    private val date: () -> Instant = Instant::now,
) {
    private val asked = BurstAsked(spec, burst)
    private val info = asked.info
    private val inFlight = asked.inFlight
    private val delayMs = asked.delayMs
    private val hasTasksBeside = spec.treatment[Factor.BACKGROUND] == BackgroundLoad.IdleIo.label
    private val owners = ThreadOwners(info.owners)
    private val threads =
        ThreadProbe(owners) { frame -> frame.startsWith(BLOCKING) || info.callFrames.any { frame.startsWith(it) } }
    private val leakProbe = LeakProbe(threads, owners, server, info.expectedLeftovers)

    fun run(keep: (Trial) -> Unit) {
        val warmUp = if (spec.treatment[Factor.START] == Start.Warm.label) warmUp().also(keep) else null
        keep(measure().after(warmUp))
    }

    /** As many requests as will be measured, but at most two waves of them, each answered soon: a wave by design, so none is warned of. */
    private fun warmUp(): Trial {
        val requests = asked.warmUpRequests
        val before = threads.baseline()
        server.reset()
        val open = server.evidence().connectionsOpen
        val result = client.open(asked.conditions()).use { asked.send(it, requests, BurstAsked.WARM_UP_DELAY_MS) }
        val evidence = server.evidence()
        val leaks = leakProbe.look(before, open, PATIENCE)
        System.gc()
        val judgement =
            judgeBurst(
                requests,
                result,
                evidence,
                leaks,
                info.limit,
                snapshotKept = true,
                BurstAsked.WARM_UP_DELAY_MS,
                asked.keptConnections,
            )
        val metrics = clientMetrics(result) + evidenceMetrics(evidence)
        return asked.trial(judgement, metrics, result, evidence, warmup = true).copy(leaks = leaks, warnings = emptyList())
    }

    private fun measure(): Trial {
        val clocks = ClockWatch(server::clock, date)
        server.reset()
        val open = server.evidence().connectionsOpen
        val baseline = threads.baseline()
        val before = ProcessProbe.read()
        val beside = IdleIoTasks()
        val onPlateau = { if (hasTasksBeside) beside.start() }
        val probes = if (burst.threads) BurstProbes(server, threads, baseline, inFlight, delayMs, onPlateau) else null
        probes.use {
            val events = EventLog(inFlight).takeIf { burst.timeline }
            val opening = System.nanoTime()
            val session = client.open(asked.conditions(events = events))
            val opened = System.nanoTime()
            val result = asked.send(session, inFlight, delayMs)
            val after = ProcessProbe.read()
            probes?.stop()
            val besideMs = beside.await()
            val evidence = server.evidence()
            val found = probes?.found(evidence.peakInFlight) ?: BurstThreads()
            val clocked = clocks.finish()
            val times = events?.let { BurstTimes(result, it, server.requests().requests, clocked.server) }
            val repeated =
                asked.again(session) {
                    server.reset()
                    server::evidence
                }
            val closing = System.nanoTime()
            session.close()
            val closed = System.nanoTime()
            val leaks = leakProbe.look(baseline, open, PATIENCE)
            val judgement =
                judgeBurst(inFlight, result, evidence, leaks, info.limit, found.kept, delayMs, asked.keptConnections)
                    .and(clocked.reasons, clocked.warnings + times?.warnings.orEmpty() + far(clocked.server))
            val metrics =
                buildMap {
                    putAll(clientMetrics(result))
                    putAll(evidenceMetrics(evidence))
                    times?.let { putAll(it.metrics(delayMs)) }
                    putAll(repeated)
                    put("openMs", (opened - opening) / 1e6)
                    put("closeMs", (closed - closing) / 1e6)
                    put("cpuSeconds", after.cpuSeconds - before.cpuSeconds - found.cpuSeconds)
                    put("allocatedBytes", (after.allocatedBytes - before.allocatedBytes - found.allocatedBytes).toDouble())
                    put("threadsBefore", baseline.activeUnparked.size.toDouble())
                    put(
                        "threadsAfter",
                        threads
                            .baseline()
                            .activeUnparked.size
                            .toDouble(),
                    )
                    besideMs?.let { put("besideMs", it) }
                    before.rssBytes?.let { put("rssBaselineBytes", it.toDouble()) }
                    after.rssPeakBytes?.let { put("rssPeakBytes", it.toDouble()) }
                    putAll(found.metrics)
                }
            val trial = asked.trial(judgement, metrics, result, evidence, warmup = false)
            return trial.copy(
                leaks = leaks,
                threads = found.byOwner,
                curves = found.curves + ("latencyMs" to latencyCurve(result)),
                timeline = times?.timeline?.sample(Timeline.MOST),
            )
        }
    }

    /** How well the server's times are known, where they come over a network. */
    private fun far(clock: ServerClock): List<String> =
        if (!spec.server.remote || !burst.timeline) {
            emptyList()
        } else {
            listOf(
                "The server is elsewhere: when it saw a request is known here to within ${"%.1f".format(
                    Locale.ROOT,
                    clock.errorNanos / 1e6,
                )} ms.",
            )
        }

    private companion object {
        private val BLOCKING: String = BlockingSession::class.java.name
        private val PATIENCE = 2.seconds
    }
}

/** Runs the trial of [burst] against the server that its treatment names. */
internal fun burstTrial(spec: TrialSpec, burst: Burst, server: ServerProbe, keep: (Trial) -> Unit) =
    if (spec.treatment[Factor.SERVER] == Server.Jetty.label) {
        JettyTrial(spec, burst, spec.client(), server).run(keep)
    } else {
        BurstTrial(spec, burst, spec.client(), server).run(keep)
    }
