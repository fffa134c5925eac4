package clientlab.client

import clientlab.*
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The conditions that a session must meet.
 *
 * @property baseUrl scheme, host and port of the server, without a path.
 * @property inFlight the most requests that will be in flight at once. An opened client sets all of its limits to it.
 * @property timeout what every time-out of the client is set to.
 * @property deadline the most that a whole call may take. Clients that need a plugin for that install it, as Ktor's install `HttpTimeout`.
 *   Loads leave it null, because the plugin costs something on each call.
 * @property webSockets whether the caller will open WebSockets. Clients that need a plugin for that install it, as Ktor's do.
 * @property events null where the trial does not ask for them.
 * @property readTimeout what the time-out for the next bytes of an answer is set to, in clients that have one; null for [timeout].
 */
public data class Conditions(
    val baseUrl: URI,
    val inFlight: Int,
    val protocol: Protocol = Protocol.Http1,
    val timeout: Duration = 100.seconds,
    val payload: Payload = Payload.Text,
    val events: RequestEvents? = null,
    val deadline: Duration? = null,
    val webSockets: Boolean = false,
    val readTimeout: Duration? = null,
) {
    init {
        refuseUnless(inFlight >= 1) { "inFlight is $inFlight; a session is opened for at least 1 request in flight." }
    }
}

/**
 * One request, independent of any client, with a body of [bodyBytes] or of [text].
 *
 * @property path path and query, beginning with `/`; or a whole address, if the request goes to another host than the session's.
 * @property large whether the answer may be too large for memory, so that an adapter must stream it.
 * @property checksum whether the reply must have the CRC-32 of the body.
 * @property headers fields that the caller adds to those of the client, by name.
 * @property webSocket whether the path opens a WebSocket. The reply comes when it is closed, and each message is a piece of the answer.
 * @property text a body of text, which the library encodes in UTF-8 in its own way; empty where the body is of bytes. Few adapters send it.
 * @property reading how much of the answer the caller reads. An adapter that cannot read so throws [UnsupportedRequest].
 * @property onRead is told the bytes of each piece of the answer when the caller reads it, on the thread that reads; null where nobody asks.
 */
public data class Request(
    val path: String,
    val method: String = "GET",
    val bodyBytes: Long = 0,
    val large: Boolean = false,
    val checksum: Boolean = false,
    val headers: Map<String, String> = emptyMap(),
    val reading: Reading = Reading.Whole,
    val text: String = "",
    val onRead: ((bytes: Int) -> Unit)? = null,
    val webSocket: Boolean = false,
)

/** How a caller reads the body of an answer. [Slowly], [Part] and [Unread] take the way in which the library gives callers a stream. */
public enum class Reading {
    /** All of it, at once. */
    Whole,

    /** All of it, with a pause of 100 ms behind each piece of at most 8 KiB, or behind each piece that the library hands over. */
    Slowly,

    /** The first piece. Then the caller lets the answer go, as the library says it should. The reply has the bytes of that piece. */
    Part,

    /** Nothing: the caller takes the status and lets the answer go. */
    Unread,

    /** All of it, as one array of bytes, in the way in which the library offers that. */
    InMemory,
}

/** An adapter cannot send such a request: [message] says which, and what it can send. It says nothing about its client. */
public class UnsupportedRequest(override val message: String) : IllegalArgumentException(message)

/**
 * What came back; [bytes] and [protocol] are null if the client does not report them.
 *
 * @property protocol the version spoken, as [Protocol.wire] spells it.
 * @property checksum CRC-32 of the body, if the request asked for it.
 * @property decoded the decoded answer, if the session reads [Payload.Json].
 */
public data class Reply(
    val status: Int,
    val bytes: Long? = null,
    val protocol: String? = null,
    val checksum: Long? = null,
    val decoded: Datetime? = null,
)

/** What a client can report of a request, in this order: it got a thread or a slot, and then a connection, new or reused. */
public enum class RequestEvent {
    LeftQueue,
    ConnectionReady,
}

/** Receives the events of requests, each named by its path and query. Several threads call it at once, so it is quick and thread-safe. */
public fun interface RequestEvents {
    /** [event] happened at [atNanos] of `System.nanoTime()`. */
    public fun happened(path: String, event: RequestEvent, atNanos: Long)
}
