package clientlab.server.evidence

import clientlab.server.answer.Answer
import clientlab.server.answer.Fault
import clientlab.server.control.LiveNow
import java.time.Instant
import java.time.temporal.ChronoUnit

/** How a request came; [key] is its name in the evidence. */
internal enum class Protocol(val key: String) {
    HTTP_1_0("http/1.0"),
    HTTP_1_1("http/1.1"),

    /** HTTP/1.1 that offered to go on in HTTP/2 and was answered as what it was. */
    H2C_UPGRADE_ASKED("h2c-upgrade-asked"),

    /** HTTP/2 in cleartext, known beforehand or asked for by an upgrade. */
    H2C("h2c"),

    /** HTTP/2 over TLS. */
    H2("h2"),
    OTHER("other"),
    MALFORMED("malformed"),
}

/** Milliseconds to a microsecond: what is below is noise, and takes room in every journal line. */
internal fun millis(nanos: Long): Double = Math.floorDiv(nanos, 1_000L) / 1_000.0

/** Someone who wants to be told when so many are in flight; [onReached] is called once, on the event loop. */
internal class Waiter(val inFlight: Int, val onReached: (Awaited) -> Unit)

/**
 * Counts what happens on the data port.
 *
 * Not thread-safe, on purpose: one event loop owns it and its plain fields, so that counting costs nanoseconds and a waiter is
 * told in the same breath in which the request arrives. Times are `System.nanoTime()`, read by the caller.
 */
internal class ServerEvidence(now: Long = System.nanoTime()) {
    private var resetAt = now
    private var epochNanosAtReset = 0L
    private var queuesAtReset: ListenQueues? = null
    private var cpuMsAtReset: Long? = null

    private var arrived = 0L
    private val arrivedBy = LongArray(Protocol.entries.size)
    private var firstArrivalAt = 0L
    private var inFlightAtReset = 0
    private var peakInFlight = 0
    private var answered = 0L
    private var answeredEarly = 0L
    private var answeredOk = 0L
    private var rejected = 0L
    private var abandoned = 0L
    private val onPurpose = LongArray(Fault.entries.size)
    private val behind = LongArray(Fault.entries.size)
    private var statusAsked = 0L
    private var lastAnswerAt = 0L
    private var connectionsOpened = 0L
    private var peakConnections = 0
    private var connectionsEver = 0
    private var connectionsRefused = 0L
    private var connectionsTimedOut = 0L
    private var acceptsFailed = 0L
    private var tlsHandshakes = 0L
    private var streamErrors = 0L
    private var connectionErrors = 0L
    private var bytesSent = 0L
    private var bytesReceived = 0L
    private val overshoot = OvershootHistogram()
    private val curve = InFlightCurve()

    private val waiters = ArrayList<Waiter>()
    private var nextWaiter = Int.MAX_VALUE

    /** Connections of the data port. */
    var connectionsOpen: Int = 0
        private set

    /** What happened to each numbered request. */
    val requests: RequestTable = RequestTable()

    /** How connections were used. */
    val connections: ConnectionTable = ConnectionTable()

    /** Requests arrived and neither answered nor abandoned. */
    var inFlight: Int = 0
        private set

    init {
        reset(now)
    }

    /** Every call is followed by one of [connectionClosed]. */
    fun connectionOpened(): ConnectionRecord {
        connectionsOpened++
        connectionsOpen++
        if (connectionsOpen > peakConnections) peakConnections = connectionsOpen
        return ConnectionRecord(++connectionsEver, System.nanoTime()).also { connections.opened(it) }
    }

    fun connectionClosed(seen: ConnectionRecord) {
        connectionsOpen--
        connections.closed(seen, System.nanoTime())
    }

    /** A client and this server have agreed upon TLS. */
    fun handshaken() {
        tlsHandshakes++
    }

    /** This server has reset a stream because of what its client sent, or did not. */
    fun streamFailed() {
        streamErrors++
    }

    /** This server has ended an HTTP/2 connection because of what its client sent. */
    fun connectionFailed() {
        connectionErrors++
    }

    /** A connection was one too many. */
    fun connectionRefused() {
        connectionsRefused++
    }

    /** A connection was closed because it had slept for too long. */
    fun connectionTimedOut() {
        connectionsTimedOut++
    }

    /** The system had no descriptor for a connection that waits. */
    fun acceptFailed() {
        acceptsFailed++
    }

    /** A request has been read to its end, or the head of an upload. */
    fun arrived(protocol: Protocol, now: Long) {
        if (arrived++ == 0L) firstArrivalAt = now
        arrivedBy[protocol.ordinal]++
    }

    /** An arrived request waits for its answer; every call is followed by one of [released]. */
    fun held(now: Long) {
        inFlight++
        if (inFlight > peakInFlight) peakInFlight = inFlight
        curve.record(now - resetAt, inFlight)
        if (inFlight >= nextWaiter) tellWaiters(now)
    }

    fun released(now: Long) {
        inFlight--
        curve.record(now - resetAt, inFlight)
    }

    /**
     * The answer has been written in full at [now] to a request that arrived at [arrivedAt] and was due at [dueAt]; its body was to take
     * [bodyNanos] at least.
     */
    fun answered(answer: Answer, arrivedAt: Long, dueAt: Long, now: Long, bodyNanos: Long = 0) {
        answered++
        lastAnswerAt = now
        if (answer.status >= 400) rejected++
        if (!answer.isDelayed) return
        if (answer.status == 200) answeredOk++ else statusAsked++
        if (now - arrivedAt < answer.delayNanos + bodyNanos) answeredEarly++
        if (!answer.isWhole) return
        overshoot.record(now - dueAt)
    }

    /** An arrived request will not be answered in full: because it asked for [purpose], or because its client has gone. */
    fun abandoned(purpose: Fault) {
        abandoned++
        onPurpose[purpose.ordinal]++
    }

    /** A connection was ended by [fault] behind an answer in full. */
    fun endedBehind(fault: Fault) {
        behind[fault.ordinal]++
    }

    fun sent(bytes: Int) {
        bytesSent += bytes
    }

    fun received(bytes: Int) {
        bytesReceived += bytes
    }

    /** Tells [waiter] now if so many are in flight already, else as soon as they are. */
    fun add(waiter: Waiter) {
        if (inFlight >= waiter.inFlight) {
            waiter.onReached(awaited(System.nanoTime()))
        } else {
            waiters += waiter
            nextWaiter = minOf(nextWaiter, waiter.inFlight)
        }
    }

    fun remove(waiter: Waiter) {
        waiters -= waiter
        nextWaiter = waiters.minOfOrNull { it.inFlight } ?: Int.MAX_VALUE
    }

    /** What a waiter is told when its time is over. */
    fun notReached(): Awaited = Awaited(reached = false, inFlight = inFlight, peak = peakInFlight)

    fun snapshot(): Evidence = Evidence(
        arrived = arrived,
        inFlight = inFlight,
        inFlightAtReset = inFlightAtReset,
        peakInFlight = peakInFlight,
        answered = answered,
        answeredEarly = answeredEarly,
        answeredOk = answeredOk,
        rejected = rejected,
        abandoned = abandoned,
        abandonedByClient = onPurpose[Fault.NONE.ordinal],
        onPurpose = OnPurpose(
            closed = onPurpose[Fault.CLOSE.ordinal],
            reset = onPurpose[Fault.RESET.ordinal],
            stalled = onPurpose[Fault.STALL.ordinal],
            closedBehindAnswer = behind[Fault.CLOSE.ordinal],
            resetBehindAnswer = behind[Fault.RESET.ordinal],
            otherStatus = statusAsked,
        ),
        connectionsOpened = connectionsOpened,
        connectionsOpen = connectionsOpen,
        peakConnections = peakConnections,
        connectionsRefused = connectionsRefused,
        connectionsTimedOut = connectionsTimedOut,
        acceptsFailed = acceptsFailed,
        tlsHandshakes = tlsHandshakes,
        streamErrors = streamErrors,
        connectionErrors = connectionErrors,
        requestsByProtocol = Protocol.entries.filter { arrivedBy[it.ordinal] > 0 }.associate { it.key to arrivedBy[it.ordinal] },
        connectionsByProtocol = connections.byProtocol(),
        bytesSent = bytesSent,
        bytesReceived = bytesReceived,
        overshootMs = overshoot.read(),
        inFlightCurve = curvePoints(),
        firstArrivalMs = if (arrived > 0) millis(firstArrivalAt - resetAt) else null,
        lastAnswerMs = if (answered > 0) millis(lastAnswerAt - resetAt) else null,
        listenOverflows = queuesSinceReset()?.overflows,
        listenDrops = queuesSinceReset()?.drops,
        cpuMs = cpuMsAtReset?.let { before -> processCpuMs()?.minus(before) },
        epochNanosAtReset = epochNanosAtReset,
        nanoTimeAtReset = resetAt,
    )

    /** The counters that change from moment to moment; reads nothing but fields. */
    fun live(now: Long): LiveNow =
        LiveNow(now, resetAt, inFlight, peakInFlight, answered, rejected, connectionsOpen)

    /** Forgets what was counted; what is open or in flight stays so. */
    fun reset(now: Long) {
        resetAt = now
        epochNanosAtReset = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now())
        queuesAtReset = ListenQueues.read()
        cpuMsAtReset = processCpuMs()
        arrived = 0
        arrivedBy.fill(0)
        inFlightAtReset = inFlight
        peakInFlight = inFlight
        answered = 0
        answeredEarly = 0
        answeredOk = 0
        rejected = 0
        abandoned = 0
        onPurpose.fill(0)
        behind.fill(0)
        statusAsked = 0
        connectionsOpened = 0
        peakConnections = connectionsOpen
        connectionsRefused = 0
        connectionsTimedOut = 0
        acceptsFailed = 0
        tlsHandshakes = 0
        streamErrors = 0
        connectionErrors = 0
        connections.reset()
        bytesSent = 0
        bytesReceived = 0
        requests.reset()
        overshoot.reset()
        curve.reset(inFlight)
    }

    private fun tellWaiters(now: Long) {
        val told = waiters.filter { inFlight >= it.inFlight }
        waiters.removeAll(told)
        nextWaiter = waiters.minOfOrNull { it.inFlight } ?: Int.MAX_VALUE
        told.forEach { it.onReached(awaited(now)) }
    }

    private fun awaited(now: Long) = Awaited(reached = true, inFlight = inFlight, atMs = millis(now - resetAt))

    private fun curvePoints(): List<List<Double>> {
        val origin = if (arrived > 0) firstArrivalAt - resetAt else 0
        return curve.points().map { (nanos, value) -> listOf(millis(nanos - origin), value.toDouble()) }
    }

    private fun queuesSinceReset(): ListenQueues? = queuesAtReset?.let { before -> ListenQueues.read()?.minus(before) }

    private companion object {
        fun processCpuMs(): Long? {
            val spent = ProcessHandle.current().info().totalCpuDuration()
            return spent.map { it.toMillis() }.orElse(null)
        }
    }
}
