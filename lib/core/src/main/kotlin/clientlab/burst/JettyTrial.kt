package clientlab.burst

import clientlab.Evidence
import clientlab.Factor
import clientlab.LabException
import clientlab.Peer
import clientlab.Start
import clientlab.Timeline
import clientlab.Trial
import clientlab.client.Client
import clientlab.probe.EventLog
import clientlab.probe.LeakProbe
import clientlab.probe.ProcessProbe
import clientlab.probe.ServerAddress
import clientlab.probe.ServerClock
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadOwners
import clientlab.probe.ThreadProbe
import clientlab.trial.TrialSpec
import clientlab.trial.after
import clientlab.trial.judgeBurst
import java.net.URI
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One trial of a [Burst] against Jetty, the server of source 004.
 *
 * Jetty tells how many requests it took, how many at once, and in which version, but not of its connections, and nobody can await a
 * number there: so there is no snapshot of threads. Its accept queue holds 50, and a connection that finds it full is tried again by the
 * system after a second: here that is a finding and no fault of the trial, so it is counted, as the whole machine's, and warned of.
 */
internal class JettyTrial(
    private val spec: TrialSpec,
    burst: Burst,
    private val client: Client,
    private val delayServer: ServerProbe,
) {
    private val asked = BurstAsked(spec, burst)
    private val timeline = burst.timeline
    private val base: URI =
        URI(spec.peers[Peer.Jetty] ?: throw LabException("The treatment asks for Jetty, and nobody told where it is."))
    private val owners = ThreadOwners(asked.info.owners)
    private val threads = ThreadProbe(owners) { false }

    fun run(keep: (Trial) -> Unit) {
        ServerProbe(ServerAddress(base.host, base.port, base.port)).use { jetty ->
            val warmUp = if (spec.treatment[Factor.START] == Start.Warm.label) warmUp(jetty).also(keep) else null
            keep(measure(jetty).after(warmUp))
        }
    }

    private fun warmUp(jetty: ServerProbe): Trial {
        val leakProbe = LeakProbe(threads, owners, jetty, asked.info.expectedLeftovers)
        val before = threads.baseline()
        jetty.reset()
        val result = client.open(asked.conditions(base)).use { asked.send(it, asked.warmUpRequests, BurstAsked.WARM_UP_DELAY_MS) }
        val evidence = seen(jetty)
        val leaks = leakProbe.look(before, 0, PATIENCE)
        System.gc()
        val judgement =
            judgeBurst(
                asked.warmUpRequests,
                result,
                evidence,
                leaks,
                asked.info.limit,
                snapshotKept = true,
                BurstAsked.WARM_UP_DELAY_MS,
            )
        return asked
            .trial(judgement, clientMetrics(result) + numbers(evidence), result, evidence, warmup = true)
            .copy(leaks = leaks, warnings = emptyList())
    }

    private fun measure(jetty: ServerProbe): Trial {
        val leakProbe = LeakProbe(threads, owners, jetty, asked.info.expectedLeftovers)
        jetty.reset()
        delayServer.reset()
        val baseline = threads.baseline()
        val events = EventLog(asked.inFlight)
        val began = System.nanoTime()
        val before = ProcessProbe.read()
        val session = client.open(asked.conditions(base, events.takeIf { timeline }))
        val opened = System.nanoTime()
        val result = asked.send(session, asked.inFlight, asked.delayMs)
        val after = ProcessProbe.read()
        val evidence = seen(jetty)
        val overflows = delayServer.evidence().listenOverflows
        val times = if (timeline) BurstTimes(result, events, emptyList(), ServerClock(0, 0)) else null
        val repeated = asked.again(session) {
            jetty.reset()
            ({ seen(jetty) })
        }
        session.close()
        val leaks = leakProbe.look(baseline, 0, PATIENCE)
        val judgement =
            judgeBurst(asked.inFlight, result, evidence, leaks, asked.info.limit, snapshotKept = true, asked.delayMs)
        val metrics =
            buildMap {
                putAll(clientMetrics(result))
                putAll(numbers(evidence))
                times?.let { putAll(it.metrics(asked.delayMs)) }
                putAll(repeated - "connectionsOpenedAgain")
                put("openMs", (opened - began) / 1e6)
                put("cpuSeconds", after.cpuSeconds - before.cpuSeconds)
                put("allocatedBytes", (after.allocatedBytes - before.allocatedBytes).toDouble())
                before.rssBytes?.let { put("rssBaselineBytes", it.toDouble()) }
                after.rssPeakBytes?.let { put("rssPeakBytes", it.toDouble()) }
                overflows?.let { put("listenOverflows", it.toDouble()) }
            }
        val trial = asked.trial(judgement, metrics, result, evidence, warmup = false)
        return trial.copy(
            leaks = leaks,
            warnings = trial.warnings + overflowed(overflows),
            curves = mapOf("latencyMs" to latencyCurve(result)),
            timeline = times?.timeline?.sample(Timeline.MOST),
        )
    }

    private fun overflowed(count: Long?): List<String> =
        if ((count ?: 0) == 0L) {
            emptyList()
        } else {
            listOf("An accept queue on this machine ran over $count times; a connection that is tried again comes a second or more later.")
        }

    /**
     * What Jetty saw, once it has done with what is in flight: it counts an answer when that has been handed over, and the client may know
     * of it by then. What it counts as answered is answered rightly as far as it knows; the status the client has seen itself.
     */
    private fun seen(jetty: ServerProbe): Evidence {
        val patience = TimeSource.Monotonic.markNow() + PATIENCE
        var evidence = jetty.evidence()
        while (evidence.inFlight > 0 && patience.hasNotPassedNow()) {
            Thread.sleep(SETTLE_MS)
            evidence = jetty.evidence()
        }
        return evidence.copy(answeredOk = evidence.answered)
    }

    private fun numbers(evidence: Evidence): Map<String, Double> = evidenceMetrics(evidence) - "connectionsOpened"

    private companion object {
        private val PATIENCE = 2.seconds
        private const val SETTLE_MS = 5L
    }
}
