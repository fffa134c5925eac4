package clientlab.client

import clientlab.refuseUnless
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * An HTTP version, in cleartext or over TLS, as the treatments spell it: [label].
 *
 * @property wire how the server's evidence and a client's reply spell the version, which say of TLS nothing.
 * @property tls whether it goes over TLS.
 * @property multiplexes whether a connection carries several requests at a time.
 */
@Serializable
public enum class Protocol(
    public val label: String,
    public val tls: Boolean,
    public val multiplexes: Boolean,
    public val wire: String = label,
) {
    @SerialName("http/1.1")
    Http1("http/1.1", tls = false, multiplexes = false),

    /** What TLS costs by itself. */
    @SerialName("https/1.1")
    Https1("https/1.1", tls = true, multiplexes = false, wire = "http/1.1"),

    /** HTTP/2 in cleartext: begun in it, or by an upgrade where a client knows no other way. */
    @SerialName("h2c")
    H2c("h2c", tls = false, multiplexes = true),

    /** HTTP/2 over TLS, which client and server agree upon by ALPN. */
    @SerialName("h2")
    Http2("h2", tls = true, multiplexes = true),

    ;

    override fun toString(): String = label

    public companion object {
        /** The protocol that a treatment spells [label]; fails where there is none. */
        public fun of(label: String?): Protocol = requireNotNull(entries.find { it.label == label }) { "There is no protocol '$label'." }
    }
}

/**
 * What a session has to be able to do.
 *
 * @property baseUrl scheme, host and port of the server, without a path.
 * @property inFlight the most requests that will be in flight at once; an opened client sets every limit it has to it.
 * @property protocol the version to speak; HTTP/1.1 unless the treatment says otherwise.
 * @property timeout how long a client may wait for an answer, set on every time-out that the client has.
 * @property payload what answers are read as; see [ClientInfo.payloads].
 * @property events told what happens to each request, by a client that knows; null where nobody asks.
 */
public data class Conditions(
    val baseUrl: URI,
    val inFlight: Int,
    val protocol: Protocol = Protocol.Http1,
    val timeout: Duration = 100.seconds,
    val payload: Payload = Payload.Text,
    val events: RequestEvents? = null,
) {
    init {
        refuseUnless(inFlight >= 1) { "inFlight is $inFlight; a session is opened for at least 1 request in flight." }
    }
}

/**
 * One request, independent of any client.
 *
 * @property path path and query, beginning with `/`; or a whole address, where the request goes to another host than the session's own.
 * @property bodyBytes the size of the body to send, 0 for none.
 * @property large whether the answer may be too large for memory, so that an adapter that holds answers there has to stream this one.
 * @property checksum whether the reply has to carry the CRC-32 of the body it read.
 */
public data class Request(
    val path: String,
    val method: String = "GET",
    val bodyBytes: Long = 0,
    val large: Boolean = false,
    val checksum: Boolean = false,
)

/**
 * What came back.
 *
 * @property status the HTTP status.
 * @property bytes length of the body that was read to its end, or null where the client does not tell.
 * @property protocol the version spoken as [Protocol.label] spells it, or null where the client does not tell.
 * @property checksum CRC-32 of the body, where the request asked for it.
 * @property decoded what the answer said, where the session reads [Payload.Json].
 */
public data class Reply(
    val status: Int,
    val bytes: Long? = null,
    val protocol: String? = null,
    val checksum: Long? = null,
    val decoded: Datetime? = null,
)
