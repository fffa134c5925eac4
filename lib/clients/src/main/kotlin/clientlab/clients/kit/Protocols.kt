package clientlab.clients.kit

import clientlab.client.Conditions
import clientlab.client.Protocol
import clientlab.client.Request

/** What a client speaks that knows HTTP/1.1 alone. */
internal val HTTP_1: List<Protocol> = listOf(Protocol.Http1, Protocol.Https1)

/** The label of HTTP/2 over the scheme that is used. */
internal fun h2(conditions: Conditions): String = (if (conditions.baseUrl.scheme == "https") Protocol.Http2 else Protocol.H2c).label

/** Fails unless HTTP/1.1 is asked for, with TLS or without, in the words of [client]. */
internal fun requireHttp1(conditions: Conditions, client: String) {
    require(!conditions.protocol.multiplexes) { "$client speaks HTTP/1.1 alone, not ${conditions.protocol}." }
}

/** Fails for a whole address, in the words of [client], whose session is bound to the host that it was opened for. */
internal fun requireOneHost(request: Request, client: String) {
    require(request.path.startsWith("/")) { "$client is opened for one host here, and is asked for ${request.path.substringBefore('?')}." }
}
