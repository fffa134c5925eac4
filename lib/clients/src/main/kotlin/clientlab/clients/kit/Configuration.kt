package clientlab.clients.kit

import clientlab.*
import clientlab.client.*
import kotlin.time.Duration

/** Which settings a client is opened with. */
internal enum class Configuration {
    /** Every limit, also per host and per route, is the number of requests in flight; every time-out is [Conditions.timeout]. */
    Opened,

    /** The library's defaults: the adapter gives only the address. */
    Default,

    /** The settings of the code of source 000. */
    Article,
    ;

    /**
     * Whether the adapter sets the HTTP version.
     *
     * A client that is not opened chooses as it does by default, unless the conditions ask for more than HTTP/1.1 in cleartext.
     */
    fun setsProtocol(conditions: Conditions): Boolean = this == Opened || conditions.protocol != Protocol.Http1
}

/** [Conditions.timeout] in ms, for libraries that take an `Int`. */
internal val Conditions.timeoutMs: Int get() = Math.toIntExact(timeout.inWholeMilliseconds)

/** What a time-out for the next bytes of an answer is set to. */
internal val Conditions.longestRead: Duration get() = readTimeout ?: timeout

/** [longestRead] in ms, for libraries that take an `Int`. */
internal val Conditions.longestReadMs: Int get() = Math.toIntExact(longestRead.inWholeMilliseconds)

/** The protocols of a client that speaks HTTP/1.1 alone. */
internal val HTTP_1: List<Protocol> = listOf(Protocol.Http1, Protocol.Https1)

/** The version of an answer by its [major] number, as [label] spells it. */
internal fun Conditions.label(major: Int): String = if (major == 3) Protocol.Http3.label else label(http2 = major == 2)

/** The version of an answer as [Reply.protocol] spells it: `http/1.1`, or `h2` over TLS, or `h2c`. */
internal fun Conditions.label(http2: Boolean): String = when {
    !http2 -> Protocol.Http1.label
    baseUrl.scheme == "https" -> Protocol.Http2.label
    else -> Protocol.H2c.label
}

/** Fails, with [client] as the name, unless [conditions] ask for HTTP/1.1, over TLS or in cleartext. */
internal fun requireHttp1(conditions: Conditions, client: String) {
    require(!conditions.protocol.multiplexes) {
        "$client speaks HTTP/1.1 alone, not ${conditions.protocol}: leave it out, or ask for Protocol.Http1 or Protocol.Https1."
    }
}

/** Fails, with [client] as the name, if [request] has a whole address: this client's session sends to one host alone. */
internal fun requireOneHost(request: Request, client: String) {
    if (request.path.startsWith("/")) return
    throw UnsupportedRequest(
        "$client is opened for one host, and the request goes to ${request.path.substringBefore('?')}: give a path that begins with '/'.",
    )
}
