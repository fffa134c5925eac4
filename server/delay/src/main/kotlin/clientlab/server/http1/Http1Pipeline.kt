package clientlab.server.http1

import clientlab.server.evidence.*
import clientlab.server.http2.*
import clientlab.server.net.*
import clientlab.server.request.*
import io.netty.channel.ChannelPipeline
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpVersion

/**
 * Lets a connection speak HTTP/1.0 and 1.1, and h2c if the client begins with its preface or offers an upgrade.
 *
 * Requests alone are decoded; answers are written as bytes. One event loop has one, because its encoder is shared.
 */
internal class Http1Pipeline(private val port: DataPort, private val http2: Http2Pipeline) {
    private val encoder = Http1Encoder()

    fun addTo(pipeline: ChannelPipeline, wire: DataConnection) {
        pipeline.addBefore(DataConnection.NAME, null, Http1Decoder(wire, http2))
        pipeline.addBefore(DataConnection.NAME, null, Http1Handler(port, wire, encoder, http2))
    }
}

/** How [request] came. */
internal fun protocolOf(request: HttpRequest): Protocol = when (request.protocolVersion()) {
    HttpVersion.HTTP_1_1 -> if (H2cUpgrade.isIn(request)) Protocol.H2C_UPGRADE_ASKED else Protocol.HTTP_1_1
    HttpVersion.HTTP_1_0 -> Protocol.HTTP_1_0
    else -> Protocol.OTHER
}

/** The answer's connection header, or null to leave it out. */
internal fun connectionHeader(exchange: Exchange): String? = when {
    exchange.isLast -> "close"
    exchange.protocol == Protocol.HTTP_1_0 -> "keep-alive"
    else -> null
}
