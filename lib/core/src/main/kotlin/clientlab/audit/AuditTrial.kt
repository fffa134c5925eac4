package clientlab.audit

import clientlab.Evidence
import clientlab.Factor
import clientlab.Outcome
import clientlab.Trial
import clientlab.client.BlockingSession
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadOwners
import clientlab.probe.ThreadProbe
import clientlab.probe.ThreadSnapshot
import clientlab.refuseUnless
import clientlab.trial.RisingLoad
import clientlab.trial.TrialSpec
import clientlab.trial.delayPath
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One trial of an [Audit], in this JVM: one session, a load that rises step by step to a server that does not answer, then the wait for
 * what the client gives up. The fork ends with the requests under way; closing a session under load is another question.
 */
internal class AuditTrial(
    private val spec: TrialSpec,
    private val audit: Audit,
    private val client: Client,
    private val server: ServerProbe,
) {
    private val info = audit.clients.first { it.id == spec.treatment.client }
    private val hosts = spec.treatment.number(Factor.HOSTS).toInt()
    private val threads =
        ThreadProbe(ThreadOwners(info.owners)) { frame ->
            frame.startsWith(BLOCKING) || info.callFrames.any { frame.startsWith(it) }
        }

    fun run(keep: (Trial) -> Unit) {
        refuseUnless(hosts <= spec.server.hosts) {
            "The delay server is at ${spec.server.hosts} of the $hosts hosts that are asked for: ask for hosts = listOf(1) here."
        }
        System.gc()
        server.reset()
        val baseline = threads.baseline()
        val load = RisingLoad(client.open(Conditions(spec.server.baseUrl, audit.upTo)), audit.upTo, ::address)
        val held =
            audit.loads.map { asked ->
                load.raise(asked)
                asked to settled(asked, load)
            }
        val snapshot = threads.snapshot(baseline)
        val top = server.evidence()
        val late = if (audit.patienceOf(spec.treatment).isPositive()) awaitTimeouts(load) else emptyMap()
        keep(trial(load, held, snapshot, top, late))
    }

    private fun address(number: Int): String {
        val path = delayPath(NEVER_MS, number)
        val host = number % hosts
        return if (host == 0) {
            path
        } else {
            spec.server
                .url(host)
                .resolve(path)
                .toString()
        }
    }

    /** How many are in flight once that has not changed for [STILL], with [asked] asked; at once where all of [load] have ended. */
    private fun settled(asked: Int, load: RisingLoad): Long {
        val began = TimeSource.Monotonic.markNow()
        var since = began
        var level = -1L
        while (began.elapsedNow() < LONGEST) {
            val now = server.await(asked, POLL)
            if (now.reached) return now.inFlight
            if (now.inFlight != level) {
                level = now.inFlight
                since = TimeSource.Monotonic.markNow()
            }
            if (load.ended >= asked) break
            // Before the first request has arrived nothing stands still: a client may take a while to load its classes.
            if (level > 0 && since.elapsedNow() >= STILL) break
        }
        return level
    }

    /** Until the client has given up one of each kind that there is, or for the patience asked for. */
    private fun awaitTimeouts(load: RisingLoad): Map<String, Double> {
        val patience = audit.patienceOf(spec.treatment)
        val began = TimeSource.Monotonic.markNow()
        FullQueue().use { full ->
            val connecting = if (full.isFull) RisingLoad(client.open(Conditions(full.url, 1)), 1) { "/" }.apply { raise(1) } else null
            while (began.elapsedNow() < patience) {
                val found = timeouts(load)
                val all = load.ended >= audit.upTo || found.size == BOTH
                if (all && connecting?.givenUp?.isEmpty() != true) break
                Thread.sleep(POLL.inWholeMilliseconds)
            }
            val connect = connecting?.givenUp?.firstOrNull()?.let { mapOf("connectTimeoutMs" to (it.failedNanos - it.askedNanos) / 1e6) }
            return timeouts(load) + connect.orEmpty() + ("patienceMs" to patience.inWholeMilliseconds.toDouble())
        }
    }

    /** What the client gave up that it had kept waiting, and what the server had, each as soon as there is one. */
    private fun timeouts(load: RisingLoad): Map<String, Double> {
        val failed = load.givenUp
        if (failed.isEmpty()) return emptyMap()
        val clock = server.clock()
        val arrived = server.requests().requests.associate { it.number to it.arrivedNanos - if (clock.isOurs) 0 else clock.aheadNanos }
        val (had, not) = failed.partition { it.number in arrived }
        val waited = not.map { (it.failedNanos - it.askedNanos) / 1e6 }.filter { it >= AT_ONCE_MS }
        val unanswered = had.map { (it.failedNanos - arrived.getValue(it.number)) / 1e6 }
        return listOfNotNull(
            waited.minOrNull()?.let { "waitTimeoutMs" to it },
            unanswered.minOrNull()?.let { "answerTimeoutMs" to it },
        ).toMap()
    }

    private fun trial(
        load: RisingLoad,
        held: List<Pair<Int, Long>>,
        snapshot: ThreadSnapshot,
        top: Evidence,
        late: Map<String, Double>,
    ): Trial {
        val failed = load.givenUp
        val refused = failed.count { (it.failedNanos - it.askedNanos) / 1e6 < AT_ONCE_MS }
        val last = held.last().second
        val wrong = wrong(load, last, top)
        return Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = spec.treatment,
            warmup = false,
            outcome =
                when {
                    wrong.isNotEmpty() -> Outcome.Invalid
                    last < audit.upTo -> Outcome.Wave
                    else -> Outcome.Complete
                },
            reasons = wrong.ifEmpty { listOf("The server saw at most $last of ${audit.upTo} in flight.").filter { last < audit.upTo } },
            metrics =
                mapOf(
                    "requests" to audit.upTo.toDouble(),
                    "heldInFlight" to last.toDouble(),
                    "inFlightPeak" to top.peakInFlight.toDouble(),
                    "heldConnections" to top.connectionsOpen.toDouble(),
                    "waiting" to (audit.upTo - last - refused).coerceAtLeast(0).toDouble(),
                    "refused" to refused.toDouble(),
                    "threadsNew" to snapshot.new.toDouble(),
                    "threadsBlocked" to snapshot.blocked.toDouble(),
                ) + late,
            errors = failed.groupingBy { it.kind }.eachCount().toSortedMap(),
            threads = snapshot.byOwner,
            evidence = top,
            curves = mapOf("held" to held.map { (asked, level) -> listOf(asked.toDouble(), level.toDouble()) }),
        )
    }

    private fun wrong(load: RisingLoad, held: Long, top: Evidence): List<String> =
        buildList {
            if (held == 0L) add("No request arrived. The first failure: ${load.givenUp.firstOrNull()?.example ?: "none, they wait"}.")
            if (load.answered > 0 || top.answeredEarly > 0) add("${load.answered} requests were answered, and none was to be.")
            if (top.rejected > 0) add("The server turned ${top.rejected} requests away: its own limit came first.")
            if ((top.listenOverflows ?: 0) > 0) add("An accept queue on the server's machine ran over ${top.listenOverflows} times.")
        }

    private companion object {
        private val BLOCKING: String = BlockingSession::class.java.name

        /** The longest that a delay server waits as it comes; a trial is over long before. */
        private const val NEVER_MS = 60_000L
        private val POLL = 25.milliseconds

        /** Two thousand connections open within it; and no time-out of any client is as short. */
        private val STILL = 500.milliseconds
        private val LONGEST = 20.seconds
        private const val AT_ONCE_MS = 1_000.0
        private const val BOTH = 2
    }
}
