package clientlab.client

import clientlab.ClientInfo
import clientlab.Datetime
import clientlab.Payload
import clientlab.Protocol
import clientlab.refuseUnless
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

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
