package clientlab.audit

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * One trial of an [Audit], in this JVM: one session, a load that rises step by step while the server does not answer, then the wait for
 * requests that the client gives up. The fork ends with requests in flight: closing a session under load is not part of the question.
 */
internal class AuditTrial(private val scope: TrialScope, private val audit: Audit) {
    private val spec = scope.spec
    private val server = scope.server
    private val client = scope.client()
    private val hosts = scope.number(Factor.HOSTS)
    private val patience = audit.patienceOf(spec.treatment)
    private val threads = threadProbeOf(audit.client(spec.treatment))

    fun run() {
        refuseUnless(hosts <= spec.server.hosts) {
            "The delay server is at ${spec.server.hosts} of the $hosts hosts that are asked for: ask for hosts = listOf(1) here."
        }
        System.gc()
        server.reset()
        val baseline = threads.baseline()
        val load = RisingLoad(client.open(Conditions(spec.server.baseUrl, audit.upTo)), ::address)
        val held =
            audit.loads.map { asked ->
                load.raise(asked)
                asked to server.awaitPlateau(asked, STILL) { load.ended >= asked }
            }
        val snapshot = threads.snapshot(baseline)
        val top = server.evidence()
        val late = if (patience.isPositive()) awaitTimeouts(load) else emptyMap()
        scope.keep(trial(load, held, snapshot, top, late))
    }

    private fun address(number: Int): String {
        val path = delayPath(NEVER_MS, number)
        val host = number % hosts
        return if (host == 0) path else "${spec.server.url(host).resolve(path)}"
    }

    /** Waits until the client has given up one request of each kind, but no longer than the workload's patience. */
    private fun awaitTimeouts(load: RisingLoad): Numbers {
        val until = TimeSource.Monotonic.markNow() + patience
        FullQueue().use { full ->
            val connecting = if (full.isFull) RisingLoad(client.open(Conditions(full.url, 1))) { "/" }.apply { raise(1) } else null
            while (until.hasNotPassedNow()) {
                val all = load.ended >= audit.upTo || timeouts(load).size == BOTH
                if (all && connecting?.givenUp?.isEmpty() != true) break
                Thread.sleep(POLL.inWholeMilliseconds)
            }
            return buildMap {
                putAll(timeouts(load))
                tell(AuditMetrics.connectTimeoutMs, connecting?.givenUp?.firstOrNull()?.afterMs)
                tell(AuditMetrics.patienceMs, patience.inWholeMilliseconds)
            }
        }
    }

    /** The first waiting request that the client gave up, and the first one that the server had. */
    private fun timeouts(load: RisingLoad): Numbers {
        val failed = load.givenUp
        if (failed.isEmpty()) return emptyMap()
        val clock = server.clock()
        val arrived = server.requests().requests.associate { it.number to it.arrivedNanos - if (clock.isOurs) 0 else clock.aheadNanos }
        val (had, not) = failed.partition { it.number in arrived }
        return buildMap {
            tell(AuditMetrics.waitTimeoutMs, not.map { it.afterMs }.filter { it >= AT_ONCE_MS }.minOrNull())
            tell(AuditMetrics.answerTimeoutMs, had.minOfOrNull { (it.failedNanos - arrived.getValue(it.number)) / 1e6 })
        }
    }

    private fun trial(load: RisingLoad, held: List<Pair<Int, Long>>, snapshot: ThreadSnapshot, top: Evidence, late: Numbers): Trial {
        val failed = load.givenUp
        val refused = failed.count { it.afterMs < AT_ONCE_MS }
        val last = held.last().second
        val wrong = wrong(load, last, top)
        val judgement =
            if (wrong.isEmpty() && last < audit.upTo) {
                Judgement(Outcome.Wave, listOf("The server saw at most $last of ${audit.upTo} in flight."), emptyList())
            } else {
                Judgement.of(wrong)
            }
        val numbers =
            buildMap {
                tell(CommonMetrics.requests, audit.upTo)
                tell(CommonMetrics.heldInFlight, last)
                tell(CommonMetrics.inFlightPeak, top.peakInFlight)
                tell(AuditMetrics.heldConnections, top.connectionsOpen)
                tell(AuditMetrics.waiting, (audit.upTo - last - refused).coerceAtLeast(0))
                tell(AuditMetrics.refused, refused)
                tell(CommonMetrics.threadsNew, snapshot.new)
                tell(CommonMetrics.threadsBlocked, snapshot.blocked)
                putAll(late)
            }
        return scope.trial(judgement, numbers, top).copy(
            errors = failed.groupingBy { it.kind }.eachCount().toSortedMap(),
            threads = snapshot.byOwner,
            curves = mapOf("held" to held.map { (asked, level) -> listOf(asked.toDouble(), level.toDouble()) }),
        )
    }

    private fun wrong(load: RisingLoad, held: Long, top: Evidence): List<String> =
        reasons(top) {
            add(held == 0L) { "No request arrived. The first failure: ${load.givenUp.firstOrNull()?.example ?: "none, they wait"}." }
            add(load.answered > 0 || top.answeredEarly > 0) { "${load.answered} requests were answered, and none was to be." }
            rejected()
            overflowed()
        }

    private val GivenUp.afterMs get() = (failedNanos - askedNanos) / 1e6

    private companion object {
        /** The longest that a delay server waits by default; a trial is over long before. */
        private const val NEVER_MS = 60_000L

        /** Two thousand connections open within this time, and every client's time-outs are longer. */
        private val STILL = 500.milliseconds
        private const val AT_ONCE_MS = 1_000.0
        private const val BOTH = 2
    }
}
