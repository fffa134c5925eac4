package clientlab.server.evidence

import clientlab.server.answer.*

/** Milliseconds, to a microsecond: smaller differences are noise, and would take room in every journal line. */
internal fun millis(nanos: Long): Double = Math.floorDiv(nanos, 1_000L) / 1_000.0

/** Counts what happens on the data port, in plain fields of one event loop: not thread-safe, on purpose. The caller reads the clock. */
internal class ServerEvidence(now: Long = System.nanoTime()) {
    /** Since the last reset; a handler counts a rare event here itself. */
    var counts: Counters = Counters(now, inFlight = 0, connectionsOpen = 0)
        private set
    private var connectionsEver = 0
    private val overshoot = OvershootHistogram()
    private val curve = InFlightCurve()
    private val waiters = ArrayList<Waiter>()
    private var leastAwaited = Int.MAX_VALUE // by a waiter
    val listenSockets: ListenSockets = ListenSockets()
    val requests: RequestTable = RequestTable()
    val connections: ConnectionTable = ConnectionTable()
    var connectionsOpen: Int = 0
        private set
    var inFlight: Int = 0
        private set

    /** A call of [connectionClosed] follows each call. */
    fun connectionOpened(): ConnectionRecord {
        counts.connectionsOpened++
        connectionsOpen++
        if (connectionsOpen > counts.peakConnections) counts.peakConnections = connectionsOpen
        return ConnectionRecord(++connectionsEver, System.nanoTime()).also { connections.opened(it) }
    }

    fun connectionClosed(seen: ConnectionRecord) {
        connectionsOpen--
        connections.closed(seen, System.nanoTime())
    }

    /** A request has been read to its end, or the head of an upload. */
    fun arrived(protocol: Protocol, now: Long) {
        if (counts.arrived++ == 0L) counts.firstArrivalAt = now
        counts.arrivedBy[protocol.ordinal]++
    }

    /** A request that has arrived waits for its answer; a call of [released] follows each call. */
    fun held(now: Long) {
        inFlight++
        if (inFlight > counts.peakInFlight) counts.peakInFlight = inFlight
        curve.record(now - counts.resetAt, inFlight)
        if (inFlight >= leastAwaited) tellWaiters(awaited(now))
    }

    fun released(now: Long) {
        inFlight--
        curve.record(now - counts.resetAt, inFlight)
    }

    /** The full answer has been written at [now], and its body had to take at least [bodyNanos]. */
    fun answered(answer: Answer, arrivedAt: Long, dueAt: Long, now: Long, bodyNanos: Long = 0) {
        counts.answered++
        counts.lastAnswerAt = now
        if (answer.status >= 400) counts.rejected++
        if (!answer.isDelayed) return
        if (answer.status == 200) counts.answeredOk++ else counts.statusAsked++
        if (now - arrivedAt < answer.delayNanos + bodyNanos) counts.answeredEarly++
        if (answer.isWhole) overshoot.record(now - dueAt)
    }

    /** A request that has arrived gets no full answer, because it asked for [purpose], or (none) because its client has gone. */
    fun abandoned(purpose: Fault) {
        counts.abandoned++
        counts.onPurpose[purpose.ordinal]++
    }

    fun sent(bytes: Int) {
        counts.bytesSent += bytes
    }

    /** Tells [waiter] now if so many are in flight already, otherwise as soon as they are. */
    fun add(waiter: Waiter) {
        if (inFlight >= waiter.inFlight) return waiter.onReached(awaited(System.nanoTime()))
        waiters += waiter
        leastAwaited = minOf(leastAwaited, waiter.inFlight)
    }

    fun remove(waiter: Waiter) {
        waiters -= waiter
        leastAwaited = waiters.minOfOrNull { it.inFlight } ?: Int.MAX_VALUE
    }

    private fun tellWaiters(awaited: Awaited) {
        val told = waiters.filter { inFlight >= it.inFlight }
        told.forEach { remove(it) }
        told.forEach { it.onReached(awaited) }
    }

    fun notReached(): Awaited = Awaited(reached = false, inFlight = inFlight, peak = counts.peakInFlight)

    fun snapshot(): Evidence = counts.queuesSinceReset().let { queues ->
        Evidence(
            arrived = counts.arrived,
            inFlight = inFlight,
            inFlightAtReset = counts.inFlightAtReset,
            peakInFlight = counts.peakInFlight,
            answered = counts.answered,
            answeredEarly = counts.answeredEarly,
            answeredOk = counts.answeredOk,
            rejected = counts.rejected,
            abandoned = counts.abandoned,
            abandonedByClient = counts.onPurpose[Fault.NONE.ordinal],
            onPurpose = counts.onPurpose(),
            connectionsOpened = counts.connectionsOpened,
            connectionsOpen = connectionsOpen,
            peakConnections = counts.peakConnections,
            connectionsRefused = counts.connectionsRefused,
            connectionsTimedOut = counts.connectionsTimedOut,
            acceptsFailed = counts.acceptsFailed,
            tlsHandshakes = counts.tlsHandshakes,
            streamErrors = counts.streamErrors,
            connectionErrors = counts.connectionErrors,
            requestsByProtocol = counts.byProtocol(),
            connectionsByProtocol = connections.byProtocol(),
            bytesSent = counts.bytesSent,
            bytesReceived = counts.bytesReceived,
            overshootMs = overshoot.read(),
            inFlightCurve = curve.pointsMs(if (counts.arrived > 0) counts.firstArrivalAt - counts.resetAt else 0),
            firstArrivalMs = if (counts.arrived > 0) millis(counts.firstArrivalAt - counts.resetAt) else null,
            lastAnswerMs = if (counts.answered > 0) millis(counts.lastAnswerAt - counts.resetAt) else null,
            listenOverflows = queues?.overflows,
            listenDrops = queues?.drops,
            ownListenDrops = listenSockets.dropsSinceReset(queues?.overflows),
            cpuMs = counts.cpuMsSinceReset(),
            epochNanosAtReset = counts.epochNanosAtReset,
            nanoTimeAtReset = counts.resetAt,
        )
    }

    fun live(now: Long): LiveNow =
        LiveNow(now, counts.resetAt, inFlight, counts.peakInFlight, counts.answered, counts.rejected, connectionsOpen)

    /** Forgets what was counted; what is open or in flight stays so. */
    fun reset(now: Long) {
        counts = Counters(now, inFlight, connectionsOpen)
        listenSockets.reset()
        connections.reset()
        requests.reset()
        overshoot.reset()
        curve.reset(inFlight)
    }

    private fun awaited(now: Long) = Awaited(reached = true, inFlight = inFlight, atMs = millis(now - counts.resetAt))
}

/** Waits until [inFlight] requests are in flight; [onReached] is called once, on the event loop. */
internal class Waiter(val inFlight: Int, val onReached: (Awaited) -> Unit)
