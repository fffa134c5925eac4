package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * An HTTP version, in cleartext or over TLS, as the treatments spell it: [label].
 *
 * @property wire the version as the server's evidence and a client's reply spell it, without TLS.
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

    /** HTTP/1.1 over TLS: it shows the cost of TLS alone. */
    @SerialName("https/1.1")
    Https1("https/1.1", tls = true, multiplexes = false, wire = "http/1.1"),

    /** HTTP/2 in cleartext: by prior knowledge, or by an upgrade if a client has no other way. */
    @SerialName("h2c")
    H2c("h2c", tls = false, multiplexes = true),

    /** HTTP/2 over TLS, which client and server agree upon by ALPN. */
    @SerialName("h2")
    Http2("h2", tls = true, multiplexes = true),

    ;

    override fun toString(): String = label

    public companion object {
        /** The protocol with this [label]; fails if there is none. */
        public fun of(label: String?): Protocol = requireNotNull(entries.find { it.label == label }) { "There is no protocol '$label'." }
    }
}
