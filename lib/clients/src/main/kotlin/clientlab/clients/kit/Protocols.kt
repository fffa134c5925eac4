package clientlab.clients.kit

import clientlab.*
import clientlab.client.*

/** The protocols of a client that speaks HTTP/1.1 alone. */
internal val HTTP_1: List<Protocol> = listOf(Protocol.Http1, Protocol.Https1)

/** The label of HTTP/2: `h2` over TLS, `h2c` in cleartext. */
internal fun h2(conditions: Conditions): String = (if (conditions.baseUrl.scheme == "https") Protocol.Http2 else Protocol.H2c).label

/** Fails, with [client] as the name, unless [conditions] ask for HTTP/1.1, over TLS or in cleartext. */
internal fun requireHttp1(conditions: Conditions, client: String) {
    require(!conditions.protocol.multiplexes) { "$client speaks HTTP/1.1 alone, not ${conditions.protocol}." }
}

/** Fails, with [client] as the name, if [request] has a whole address: this client's session sends to one host alone. */
internal fun requireOneHost(request: Request, client: String) {
    require(request.path.startsWith("/")) {
        "$client is opened for one host, and the request goes to ${request.path.substringBefore('?')}: give a path that begins with '/'."
    }
}
