package clientlab.server.http2

import clientlab.server.answer.*
import clientlab.server.evidence.*
import clientlab.server.net.*
import io.netty.channel.ChannelPipeline
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder
import io.netty.handler.codec.http2.DefaultHttp2Connection
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController
import io.netty.handler.codec.http2.Http2ConnectionDecoder
import io.netty.handler.codec.http2.Http2ConnectionEncoder
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers
import io.netty.handler.codec.http2.UniformStreamByteDistributor
import io.netty.util.AsciiString

/** Lets a connection speak HTTP/2. One event loop has one, because its encoder of heads is shared. */
internal class Http2Pipeline(private val port: DataPort) {
    private val heads = Http2HeadEncoder()

    /** Adds a handler whose requests count as [protocol]. */
    fun addTo(pipeline: ChannelPipeline, wire: DataConnection, protocol: Protocol): Http2Handler =
        Builder(wire, protocol).build().also { pipeline.addBefore(DataConnection.NAME, null, it) }

    private inner class Builder(private val wire: DataConnection, private val protocol: Protocol) :
        AbstractHttp2ConnectionHandlerBuilder<Http2Handler, Builder>() {
        init {
            val connection = DefaultHttp2Connection(true)
            // All streams are equal: RFC 9113 has dropped priorities.
            connection.remote().flowController(DefaultHttp2RemoteFlowController(connection, UniformStreamByteDistributor(connection)))
            connection(connection)
            val settings = Http2Settings.defaultSettings().maxConcurrentStreams(port.maxStreams.toLong())
            // As many bytes of headers as a request line and headers of HTTP/1 together.
            initialSettings(settings.maxHeaderListSize((MAX_LINE_BYTES + MAX_HEADER_BYTES).toLong()).initialWindowSize(WINDOW_BYTES))
            // Acknowledgements that wait for a client that does not read.
            encoderEnforceMaxQueuedControlFrames(1_000)
            // Netty's limits on resets ignore how long a stream had waited; FloodGuard does not.
            decoderEnforceMaxRstFramesPerWindow(0, 0)
            encoderEnforceMaxRstFramesPerWindow(0, 0)
        }

        public override fun build(): Http2Handler = super.build()

        override fun build(decoder: Http2ConnectionDecoder, encoder: Http2ConnectionEncoder, settings: Http2Settings): Http2Handler =
            Http2Handler(decoder, encoder, settings, port, wire, protocol, heads)
    }

    internal companion object {
        const val WINDOW_BYTES: Int = 1_048_576 // per stream and on all together; what is read is never kept
    }
}

/** Makes the heads of answers for HTTP/2. Not thread-safe: one event loop has one. */
internal class Http2HeadEncoder {
    private val fields = HeadFields()

    fun encode(answer: Answer, length: Long): Http2Headers {
        val all = ArrayList<AsciiString>(10)
        fields.of(answer, length) { name, value ->
            all += name
            all += value
        }
        return ReadOnlyHttp2Headers.serverHeaders(false, HttpResponseStatus.valueOf(answer.status).codeAsText(), *all.toTypedArray())
    }

    companion object {
        val CONTINUE: Http2Headers = ReadOnlyHttp2Headers.serverHeaders(false, HttpResponseStatus.CONTINUE.codeAsText())
    }
}
