package clientlab.streams

import clientlab.*
import clientlab.client.*
import clientlab.trial.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What comes over a stream while it is held. */
@Serializable(with = FeedByLabel::class)
public enum class Feed(override val label: String) : Labelled {
    /** A server-sent event at the beginning, and no other while the trial lasts. */
    Idle("idle"),

    /** A server-sent event of 64 bytes every second. */
    EverySecond("an event a second"),

    /** A body whose length the head says, of which 64 bytes a second come, a few at a time. */
    Download("a slow download"),

    /** A WebSocket over which one message comes at the beginning, and no other while the trial lasts. */
    SocketIdle("a WebSocket, idle"),

    /** A WebSocket over which a message of 64 bytes comes every second. */
    SocketEverySecond("a WebSocket, a message a second"),

    /** Events of 8 KiB as fast as the connection takes them, to a caller who pauses for 100 ms behind each piece that it reads. */
    FasterThanRead("faster than read"),
    ;

    /** The bytes that are due every second; null where none are, or where the reader decides. */
    internal val bytesPerSecond: Long? get() = if (this in FED) EVENT_BYTES else null

    internal val isWebSocket: Boolean get() = this == SocketIdle || this == SocketEverySecond

    /** The request for stream [number]. Every stream would end by itself after a minute, the longest that the server holds one. */
    internal fun request(number: Int, onRead: (Int) -> Unit): Request {
        val path = when (this) {
            Idle -> "/events?every=60&events=2"
            EverySecond -> "/events?every=1&size=$EVENT_BYTES"
            SocketIdle -> "/socket?every=60&events=2"
            SocketEverySecond -> "/socket?every=1&size=$EVENT_BYTES"
            Download -> "/bytes/${EVENT_BYTES * LONGEST_SECONDS}?rate=$EVENT_BYTES"
            FasterThanRead -> "/events?every=0&size=8192"
        }
        val reading = if (this == FasterThanRead) Reading.Slowly else Reading.Whole
        return Request("$path&a=$number", large = true, reading = reading, onRead = onRead, webSocket = isWebSocket)
    }

    private companion object {
        const val EVENT_BYTES = 64L
        const val LONGEST_SECONDS = 60
        val FED = setOf(EverySecond, Download, SocketEverySecond)
    }
}

internal object FeedByLabel : ByLabel<Feed>("Feed", Feed.entries)

/**
 * Streams that are open at the same time: server-sent events, or downloads that take their time. What each of them takes, and what one that
 * is not read, or is cancelled, does to the others.
 *
 * The trial opens all streams through one session, gives them [settle], and then looks for [hold]. Where an event comes every second, it
 * opens one more stream afterwards, which is fed faster than it is read, and cancels that.
 *
 * The heap has a fixed size and is resident before the first stream, so the resident set grows by memory outside the heap alone.
 *
 * @property streams levels of the number of streams.
 * @property protocol a factor where it is not HTTP/1.1 alone.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
@SerialName("streams")
public data class Streams(
    override val clients: List<ClientInfo>,
    val streams: List<Int> = listOf(1_000),
    val feed: List<Feed> = listOf(Feed.Idle, Feed.EverySecond),
    val settle: Duration = 5.seconds,
    val hold: Duration = 10.seconds,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val protocol: List<Protocol> = listOf(Protocol.Http1),
    val heapMiB: Int = 512,
) : Workload {
    init {
        refuseUnless(clients.isNotEmpty()) { "Streams need a client, as in Streams(clients(\"okhttp\", \"ktor-cio\"))." }
        streams.forEach { refuseUnless(it in 1..MOST) { "$it streams are impossible here: ask for 1 to $MOST." } }
        refuseUnless(settle >= Duration.ZERO && hold >= 1.seconds && settle + hold <= LONGEST) {
            "To settle for $settle and hold for $hold is impossible: hold for 1 s at least, and for $LONGEST at most with the settling."
        }
        refuseUnless(heapMiB in HEAPS) { "A heap of $heapMiB MiB is impossible here: ask for ${HEAPS.first} to ${HEAPS.last}." }
        refuseUnlessSpoken(clients, protocol)
        val without = clients.firstOrNull { !it.webSockets }.takeIf { feed.any(Feed::isWebSocket) }
        refuseUnless(without == null) { "$without opens no WebSockets here: leave it out, or ask for server-sent events." }
        refuseUnless(feed.none(Feed::isWebSocket) || protocol.none { it.multiplexes }) {
            "A WebSocket is opened in HTTP/1.1 here: leave HTTP/2 out, or ask for server-sent events."
        }
        refuseUnlessDistinct("Streams", factors)
    }

    private val factors: List<Levels>
        get() =
            listOf(Factor.CLIENT to clients.map { it.id }) +
                varied(Factor.PROTOCOL, protocol, Protocol.Http1) +
                listOf(Factor.IN_FLIGHT to streams, Factor.FEED to feed.map { it.label })

    override val metrics: List<Metric> get() = StreamsMetrics.list

    override val mainMetric: Metric get() = StreamsMetrics.streamBytes

    override val treatments: List<Treatment> get() = crossed(factors)

    override fun withClients(clients: List<ClientInfo>): Streams = copy(clients = clients)

    override fun smoke(): Streams =
        copy(streams = streams.map { minOf(it, SMOKE_STREAMS) }.distinct(), settle = Duration.ZERO, hold = 1.seconds)

    override fun expected(treatment: Treatment): Duration {
        val looked = settle + hold + SETTING_UP
        return if (treatment[Factor.FEED] == Feed.EverySecond.label) looked + StreamsTrial.BESIDE * 2 else looked
    }

    override fun jvmArgs(treatment: Treatment): List<String> =
        client(treatment).jvmArgs(treatment[Factor.IN_FLIGHT]) + listOf("-Xms${heapMiB}m", "-Xmx${heapMiB}m", "-XX:+AlwaysPreTouch")

    override val protocols: Set<Protocol> get() = protocol.toSet()

    override val mostConnections: Int get() = streams.max() + 1

    internal companion object {
        private const val MOST = 10_000
        private const val SMOKE_STREAMS = 50
        private val HEAPS = 32..4_096
        private val LONGEST = 45.seconds
        private val SETTING_UP = 3.seconds
    }
}

internal object StreamsMetrics : MetricList({
    listOf(requests, failed, inFlightPeak, heldInFlight, connectionsOpened, trialMs, cpuSeconds, allocatedBytes, rssBytes) +
        listOf(rssBaselineBytes, osThreads, threadsNew, threadsBlocked) + cpuByKind.values
}) {
    val openStreamsMs by ms("from the first stream asked for until the server saw all of them")
    val streamBytes by bytes(
        "for each stream held, growth of the heap in use after full collections and of the resident set; " +
            "the heap is resident from the start, so no byte counts twice",
    )
    val streamHeapBytes by bytes("of streamBytes, the heap")
    val streamCpuMs by metric("ms/s", "processor time of the client's threads for each stream held, in each second")
    val dueShare by count("bytes that the callers read while the streams were looked at, of those that were due")
    val unreadBytes by bytes(
        "for each stream held: what the server had sent and no caller had read, in buffers of the client and the system",
    )
    val besideSlowShare by count("the same as dueShare, of the others, while one more stream is fed faster than it is read")
    val cancelMs by ms("from cancelling that stream until the server saw that it is gone")
    val besideCancelledShare by count("the same as dueShare, of the others, after that")
}
