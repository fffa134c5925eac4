package clientlab

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** When the requests of an open loop are planned: at equal distances, or at random (a Poisson process, as of many independent callers). */
@Serializable
public enum class Arrivals {
    @SerialName("constant")
    Constant,

    @SerialName("poisson")
    Poisson,
}

/** How old the fork is when it is measured. */
@Serializable
public enum class Start(public val label: String) {
    @SerialName("warm")
    Warm("warm"),

    @SerialName("cold")
    Cold("cold"),

    /** Warmed up by its own load until the series of intervals is steady and the compilers are quiet, or until a budget is spent. */
    @SerialName("steady")
    Steady("steady"),
    ;

    public companion object {
        /** The start of [treatment], which is warm where it names none. */
        internal fun of(treatment: Treatment): Start = entries.first { it.label == (treatment[Factor.START] ?: Warm.label) }
    }
}

/** What an answer contains and how the client reads it; [label] is its spelling in treatments. */
@Serializable
public enum class Payload(public val label: String) {
    /** Bytes, which are read to their end and not interpreted. */
    @SerialName("text")
    Text("text"),

    /** JSON, decoded into a [Datetime] in the way of the client's library. */
    @SerialName("json")
    Json("json"),

    ;

    override fun toString(): String = label
}

/** The answer of `GET /datetime` (source 004); its other keys are ignored. */
@Serializable
public data class Datetime(val datetime: String)

/** An HTTP version, in cleartext or over TLS. [label] is its spelling in treatments, [wire] that of evidence and replies, without TLS. */
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

    /** HTTP/2 over TLS, agreed upon by ALPN. */
    @SerialName("h2")
    Http2("h2", tls = true, multiplexes = true),

    /** HTTP/3 over QUIC, which has TLS in it. */
    @SerialName("h3")
    Http3("h3", tls = true, multiplexes = true),

    ;

    override fun toString(): String = label

    public companion object {
        /** All but HTTP/3, which few clients speak. */
        public val overTcp: List<Protocol> get() = entries - Http3

        /** The protocol with this [label]; fails if there is none. */
        public fun of(label: String?): Protocol = requireNotNull(entries.find { it.label == label }) { "There is no protocol '$label'." }
    }
}

/** A program that a trial needs besides the delay server; the trial spec says where it is. */
@Serializable
public enum class Peer {
    /** Ktor on Jetty as source 004 set it, for the whole run; the trial gets its base address. */
    @SerialName("jetty")
    Jetty,

    /** The gateway of `lib/gateway`, which the trial starts and limits; the trial gets its classpath. */
    @SerialName("gateway")
    Gateway,
}
