package clientlab.streams

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.runBlocking
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One trial of [Streams], in this JVM: memory and threads before the first stream, and again while all of them are open. The fork ends with
 * open streams: closing a session under load is not part of the question.
 */
internal class StreamsTrial(private val scope: TrialScope, private val streams: Streams) {
    private val server = scope.server
    private val asked = scope.number(Factor.IN_FLIGHT)
    private val feed = Feed.entries.first { it.label == scope.treatment[Factor.FEED] }
    private val client = scope.client()
    private val conditions =
        Conditions(scope.spec.server.url(scope.protocol), asked + 1, scope.protocol, webSockets = feed.isWebSocket)
    private val threads = threadProbeOf(streams.client(scope.treatment))

    /**
     * What was seen while the streams were held: [readBytes] by their callers, by this process as [work], and by the server at the end, when
     * [unreadBytes] were on their way.
     */
    private class Looked(val readBytes: Long, val work: Work, val seconds: Double, val seen: Evidence, val unreadBytes: Long)

    fun run() {
        warmUp()
        // A first reading loads classes.
        MemoryProbe.read()
        server.reset()
        val baseline = threads.baseline()
        val before = MemoryProbe.read()
        val load = StreamLoad(client.open(conditions), asked + 1)
        val opening = System.nanoTime()
        load.open(asked, feed)
        val held = server.awaitPlateau(asked, STILL) { load.ended >= asked }
        val openMs = (System.nanoTime() - opening) / 1e6
        sleep(streams.settle)
        val looked = look(load)
        // The dump of all threads takes memory itself, so it comes last.
        val after = MemoryProbe.read()
        val snapshot = threads.snapshot(baseline)
        val numbers = buildMap {
            tell(CommonMetrics.requests, asked)
            tell(CommonMetrics.failed, load.ended)
            tell(CommonMetrics.heldInFlight, held)
            tell(CommonMetrics.inFlightPeak, looked.seen.peakInFlight)
            tell(CommonMetrics.connectionsOpened, looked.seen.connectionsOpened)
            if (held == asked.toLong()) tell(StreamsMetrics.openStreamsMs, openMs)
            tell(CommonMetrics.threadsNew, snapshot.new)
            tell(CommonMetrics.threadsBlocked, snapshot.blocked)
            tell(CommonMetrics.osThreads, after.osThreads)
            if (held > 0) tellEach(held, before, after, looked)
            if (held == asked.toLong() && feed == Feed.EverySecond) putAll(beside(load))
        }
        scope.keep(trial(held, numbers, load, looked.seen).copy(threads = snapshot.byOwner))
    }

    /** A few streams in a session of their own, so that what every stream needs once is there before the baseline. */
    private fun warmUp() {
        client.open(conditions).use { session ->
            val path = if (feed.isWebSocket) "/socket" else "/events"
            val request = Request("$path?every=0.05&events=3", large = true, webSocket = feed.isWebSocket)
            runBlocking { repeat(WARM_UPS) { session.send(request) } }
        }
    }

    private fun look(load: StreamLoad): Looked {
        val readBefore = load.bytesRead(asked)
        val began = System.nanoTime()
        val (read, work) = Work.measure {
            sleep(streams.hold)
            load.bytesRead(asked) - readBefore
        }
        val seconds = (System.nanoTime() - began) / 1e9
        val seen = server.evidence()
        return Looked(read, work, seconds, seen, (seen.bytesSent - load.bytesRead(asked)).coerceAtLeast(0))
    }

    private fun MutableMap<Metric, Double>.tellEach(
        held: Long,
        before: MemoryReading,
        after: MemoryReading,
        looked: Looked,
    ) {
        val heap = after.heapBytes - before.heapBytes
        tell(StreamsMetrics.streamHeapBytes, heap.toDouble() / held)
        tell(CommonMetrics.rssBytes, after.rssBytes)
        tell(CommonMetrics.rssBaselineBytes, before.rssBytes)
        if (after.rssBytes != null && before.rssBytes != null) {
            tell(StreamsMetrics.streamBytes, (heap + after.rssBytes - before.rssBytes).toDouble() / held)
        }
        tellWork(looked.work)
        tell(StreamsMetrics.streamCpuMs, looked.work.clientCpuSeconds * MS / held / looked.seconds)
        tell(StreamsMetrics.dueShare, shareOfDue(looked.readBytes, held, looked.seconds))
        tell(StreamsMetrics.unreadBytes, looked.unreadBytes.toDouble() / held)
    }

    /** What one more stream does to the others, while it is fed faster than it is read, and once it is cancelled. */
    private fun beside(load: StreamLoad): Numbers {
        load.open(1, Feed.FasterThanRead)
        if (server.awaitPlateau(asked + 1, STILL) { load.ended > 0 } <= asked) return emptyMap()
        return buildMap {
            tell(StreamsMetrics.besideSlowShare, shareOfDue(load))
            val cancelled = TimeSource.Monotonic.markNow()
            load.cancelLast()
            while (server.evidence().inFlight > asked && cancelled.elapsedNow() < PATIENCE) sleep(LOOK)
            val took = cancelled.elapsedNow()
            if (took < PATIENCE) tell(StreamsMetrics.cancelMs, took.inWholeMicroseconds / MS)
            tell(StreamsMetrics.besideCancelledShare, shareOfDue(load))
        }
    }

    private fun shareOfDue(load: StreamLoad): Double? {
        val before = load.bytesRead(asked)
        val began = System.nanoTime()
        sleep(BESIDE)
        val seconds = (System.nanoTime() - began) / 1e9
        return shareOfDue(load.bytesRead(asked) - before, asked.toLong(), seconds)
    }

    /** The share that [readBytes] are of what was due to [held] streams in [seconds], or null where nothing is due. */
    private fun shareOfDue(readBytes: Long, held: Long, seconds: Double): Double? =
        feed.bytesPerSecond?.let { readBytes / (it * held * seconds) }

    private fun trial(held: Long, numbers: Numbers, load: StreamLoad, seen: Evidence): Trial {
        val wrong = reasons(seen) {
            add(held == 0L) { "No stream was opened. The first failure: ${load.failures.example ?: "none, they wait"}." }
            add(seen.answered + seen.abandoned > 0) {
                "${seen.answered + seen.abandoned} streams ended while they were held. The first: ${load.failures.example ?: "unknown"}."
            }
            answeredEarly()
            rejected()
            overflowed()
        }
        val judgement = if (wrong.isEmpty() && held < asked) {
            Judgement(Outcome.Wave, listOf("The server saw at most $held of $asked streams."), emptyList())
        } else {
            Judgement.of(wrong)
        }
        return scope.trial(judgement, numbers, seen).copy(errors = load.failures.counts)
    }

    private fun sleep(time: Duration) = Thread.sleep(time.inWholeMilliseconds)

    internal companion object {
        /** How long the others are looked at beside one more stream. */
        val BESIDE: Duration = 3.seconds
        private val STILL = 1.seconds
        private val PATIENCE = 5.seconds
        private val LOOK = 5.milliseconds
        private const val WARM_UPS = 3
        private const val MS = 1_000.0
    }
}
