package clientlab.run

import clientlab.Factor
import clientlab.Trial
import clientlab.client.BlockingSession
import clientlab.client.Client
import clientlab.probe.Doing
import clientlab.probe.EventLog
import clientlab.probe.LeakProbe
import clientlab.probe.ProcessProbe
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadFollower
import clientlab.probe.ThreadOwners
import clientlab.probe.ThreadProbe
import clientlab.probe.Timeline
import clientlab.workload.Burst
import clientlab.workload.Start
import kotlin.time.Duration.Companion.milliseconds
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
) {
    private val asked = BurstAsked(spec, burst)
    private val info = asked.info
    private val inFlight = asked.inFlight
    private val delayMs = asked.delayMs
    private val owners = ThreadOwners(info.owners)
    private val threads =
        ThreadProbe(owners) { frame -> frame.startsWith(BLOCKING) || info.callFrames.any { frame.startsWith(it) } }
    private val leakProbe = LeakProbe(threads, owners, server, info.leaves)

    fun run(keep: (Trial) -> Unit) {
        if (spec.treatment[Factor.START] == Start.Warm.label) keep(warmUp())
        keep(measure())
    }

    /** As many requests as will be measured, but at most two waves of them, each answered soon: a wave by design, so none is warned of. */
    private fun warmUp(): Trial {
        val requests = asked.warmUpRequests
        val before = threads.baseline()
        server.reset()
        val open = server.evidence().connectionsOpen
        val result = client.open(asked.conditions(spec.server.baseUrl)).use { asked.send(it, requests, BurstAsked.WARM_UP_DELAY_MS) }
        val evidence = server.evidence()
        val leaks = leakProbe.look(before, open, PATIENCE)
        System.gc()
        val judgement = judgeBurst(requests, result, evidence, leaks, info.limit, snapshotKept = true)
        val metrics = clientMetrics(result) + evidenceMetrics(evidence)
        return asked.trial(judgement, metrics, result, evidence, warmup = true).copy(leaks = leaks, warnings = emptyList())
    }

    private fun measure(): Trial {
        val began = System.nanoTime()
        server.reset()
        val open = server.evidence().connectionsOpen
        val baseline = threads.baseline()
        val before = ProcessProbe.read()
        ThreadFollower().use { follower ->
            val watch =
                PlateauWatch(server, threads, baseline, inFlight, settle = (delayMs / 5).milliseconds.coerceAtLeast(100.milliseconds))
            val events = EventLog(inFlight).takeIf { burst.timeline }
            val session = client.open(asked.conditions(spec.server.baseUrl, events))
            val opened = System.nanoTime()
            val result = asked.send(session, inFlight, delayMs)
            val after = ProcessProbe.read()
            follower.stop()
            val cost = follower.cost()
            val watched = watch.finish()
            val plateau = watched.plateau
            val evidence = server.evidence()
            val times = events?.let { BurstTimes(result, it, server.requests().requests, server.clock()) }
            val repeated =
                asked.again(session) {
                    server.reset()
                    server::evidence
                }
            val closing = System.nanoTime()
            session.close()
            val closed = System.nanoTime()
            val leaks = leakProbe.look(baseline, open, PATIENCE)
            val kept = plateau != null && plateau.kept && onPlateau(plateau.inFlight, evidence.peakInFlight)
            val judgement = judgeBurst(inFlight, result, evidence, leaks, info.limit, kept)
            val metrics =
                buildMap {
                    putAll(clientMetrics(result))
                    putAll(evidenceMetrics(evidence))
                    times?.let { putAll(it.metrics(delayMs)) }
                    putAll(repeated)
                    put("openMs", (opened - began) / 1e6)
                    put("closeMs", (closed - closing) / 1e6)
                    put("cpuSeconds", after.cpuSeconds - before.cpuSeconds - cost.cpuSeconds - watched.cost.cpuSeconds)
                    put(
                        "allocatedBytes",
                        (after.allocatedBytes - before.allocatedBytes - cost.allocatedBytes - watched.cost.allocatedBytes).toDouble(),
                    )
                    put("threadsPeak", follower.peak.toDouble())
                    put("threadsBefore", baseline.activeUnparked.size.toDouble())
                    put(
                        "threadsAfter",
                        threads
                            .baseline()
                            .activeUnparked.size
                            .toDouble(),
                    )
                    put("followerDumps", cost.dumps.toDouble())
                    put("followerDumpMs", cost.dumping.inWholeMicroseconds / 1e3 / cost.dumps.coerceAtLeast(1))
                    put("followerCpuSeconds", cost.cpuSeconds)
                    put("plateauCpuSeconds", watched.cost.cpuSeconds)
                    before.rssBytes?.let { put("rssBaselineBytes", it.toDouble()) }
                    after.rssPeakBytes?.let { put("rssPeakBytes", it.toDouble()) }
                    if (plateau != null && kept) putAll(plateauMetrics(plateau))
                }
            val trial = asked.trial(judgement, metrics, result, evidence, warmup = false)
            return trial.copy(
                warnings = trial.warnings + times?.warnings.orEmpty(),
                timeline = times?.timeline?.sample(Timeline.MOST),
                leaks = leaks,
                threads = plateau
                    ?.threads
                    ?.byOwner
                    .orEmpty()
                    .takeIf { kept }
                    .orEmpty(),
                curves = follower.curves() + ("latencyMs" to latencyCurve(result)),
            )
        }
    }

    /** A wave may hold a request more for a moment, at its seam; all that were asked are in flight or not. */
    private fun onPlateau(held: Long, peak: Long) = held == peak || (peak < inFlight && held >= peak * SEAM)

    private fun plateauMetrics(plateau: Plateau): Map<String, Double> {
        val dump = plateau.threads
        return buildMap {
            put("snapshotInFlight", plateau.inFlight.toDouble())
            put("snapshotAtMs", plateau.atMs)
            put("snapshotDumpMs", dump.cost.inWholeMicroseconds / 1e3)
            put("threadsLive", dump.live.toDouble())
            put("threadsNew", dump.new.toDouble())
            put("threadsBlocked", dump.blocked.toDouble())
            put(
                "threadsUnparked",
                dump.byOwner
                    .filter { it.doing in UNPARKED }
                    .sumOf { it.count }
                    .toDouble(),
            )
            Doing.entries.forEach { put("threads${it.name}", dump.count(it).toDouble()) }
            put("all", dump.source000.all.toDouble())
            put("active", dump.source000.active.toDouble())
            put("activeNew", dump.source000.activeNew.toDouble())
            put("activeUnparked", dump.source000.activeUnparked.toDouble())
            put("activeUnparkedNew", dump.source000.activeUnparkedNew.toDouble())
            put("carrierThreads", dump.carriers.toDouble())
            // Without a carrier there is none; where their dump came too late the number is missing, not zero.
            if (dump.carriers == 0) put("virtualThreads", 0.0)
            plateau.virtual?.let {
                put("virtualThreads", it.count.toDouble())
                put("virtualDumpMs", it.cost.inWholeMicroseconds / 1e3)
            }
            plateau.process.osThreads?.let { put("osThreads", it.toDouble()) }
            plateau.process.rssBytes?.let { put("rssBytes", it.toDouble()) }
        }
    }

    private companion object {
        private val UNPARKED = setOf(Doing.Running, Doing.BlockedInRead, Doing.InSelector)
        private val BLOCKING: String = BlockingSession::class.java.name
        private val PATIENCE = 2.seconds
        private const val SEAM = 0.95
    }
}
