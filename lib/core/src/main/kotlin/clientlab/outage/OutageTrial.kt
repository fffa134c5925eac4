package clientlab.outage

import clientlab.*
import clientlab.child.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** One trial of an [Outage], in this JVM: all callers read, the network falls silent, and it comes back. The fork ends with open streams. */
internal class OutageTrial(private val scope: TrialScope, private val outage: Outage) {
    private val server = scope.server
    private val client = scope.client()
    private val relay = RelayControl(checkNotNull(scope.spec.server.relayControlPort) { "An outage needs a relay before the server." })
    private val conditions =
        Conditions(scope.spec.server.url(scope.protocol), outage.streams, scope.protocol, readTimeout = outage.readTimeout)

    /** What the server and the callers saw until the silence: [early] streams had ended. */
    private class Before(val held: Long, val reading: Int, val early: Int)

    fun run() {
        endDeadOnes()
        warmUp()
        server.reset()
        StreamCallers(client.open(conditions), outage.streams).use(::watch)
    }

    private fun watch(callers: StreamCallers) {
        callers.open()
        server.await(outage.streams, PATIENCE)
        sleep(SETTLE)
        val before = Before(server.evidence().inFlight, callers.reading, callers.failures.counts.values.sum())
        callers.silenceBegins()
        relay.set(Outage.WIRE, silent = true)
        sleep(outage.silence)
        callers.silenceIsOver()
        relay.set(Outage.WIRE)
        val over = TimeSource.Monotonic.markNow()
        while (callers.backMs.size < outage.streams && over.elapsedNow() < outage.after) sleep(LOOK)
        val seen = server.evidence()
        scope.keep(scope.trial(judge(before, callers, seen), numbers(before, callers, seen), seen).copy(errors = callers.failures.counts))
    }

    /** Connections of the trial before this one, which fell silent, are still open at the server. */
    private fun endDeadOnes() {
        relay.reset()
        val began = TimeSource.Monotonic.markNow()
        while (server.evidence().inFlight > 0 && began.elapsedNow() < PATIENCE) sleep(LOOK)
    }

    /** A few streams in a session of their own load the classes. */
    private fun warmUp() {
        client.open(conditions).use { session ->
            runBlocking { repeat(WARM_UPS) { session.send(Request("/events?every=0.05&events=3", large = true)) } }
        }
    }

    private fun numbers(before: Before, callers: StreamCallers, seen: Evidence): Numbers = buildMap {
        val noticed = callers.noticedMs
        val back = callers.backMs
        tell(CommonMetrics.requests, callers.opened)
        tell(CommonMetrics.failed, callers.failures.counts.values.sum())
        tell(CommonMetrics.heldInFlight, before.held)
        tell(CommonMetrics.connectionsOpened, seen.connectionsOpened)
        tell(OutageMetrics.noticedShare, noticed.size.toDouble() / outage.streams)
        if (noticed.isNotEmpty()) tell(OutageMetrics.noticedMs, nearestRank(noticed, MEDIAN))
        tell(OutageMetrics.backShare, back.size.toDouble() / outage.streams)
        if (back.isNotEmpty()) tell(OutageMetrics.backMs, nearestRank(back, MEDIAN))
        if (back.size == outage.streams) tell(OutageMetrics.backMaxMs, back.last())
        tell(OutageMetrics.deadStreams, (seen.inFlight - back.size).coerceAtLeast(0))
    }

    private fun judge(before: Before, callers: StreamCallers, seen: Evidence): Judgement = Judgement.of(
        reasons(seen) {
            add(before.held != outage.streams.toLong()) { "The server saw ${before.held} streams of ${outage.streams} before the silence." }
            add(before.reading < outage.streams) {
                "${before.reading} of ${outage.streams} callers had read an event before the silence, so the others tell nothing."
            }
            add(before.early > 0) { "${before.early} streams had ended before the silence. The first: ${callers.failures.example}." }
            rejected()
            overflowed()
        },
    )

    private fun sleep(time: Duration) = Thread.sleep(time.inWholeMilliseconds)

    internal companion object {
        /** How long all streams are open before the silence. */
        val SETTLE: Duration = 2.5.seconds
        private val PATIENCE = 5.seconds
        private val LOOK = 5.milliseconds
        private const val WARM_UPS = 3
        private const val MEDIAN = 0.5
    }
}
