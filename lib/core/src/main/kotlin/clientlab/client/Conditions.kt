package clientlab.client

import clientlab.*
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The conditions that a session must meet.
 *
 * @property baseUrl scheme, host and port of the server, without a path.
 * @property inFlight the most requests that will be in flight at once. An opened client sets all of its limits to it.
 * @property protocol the version to speak; HTTP/1.1 unless the treatment says otherwise.
 * @property timeout how long a client may wait for an answer. Every time-out of the client is set to it.
 * @property payload what answers are read as; see [ClientInfo.payloads].
 * @property events what a client that knows tells of each request; null where the trial does not ask.
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
 * @property path path and query, beginning with `/`; or a whole address, if the request goes to another host than the session's.
 * @property bodyBytes the size of the body to send, 0 for none.
 * @property large whether the answer may be too large for memory, so that an adapter must stream it.
 * @property checksum whether the reply must have the CRC-32 of the body.
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
 * @property bytes length of the body, which was read to its end; null if the client does not report it.
 * @property protocol the version spoken as [Protocol.label] spells it, or null if the client does not report it.
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
