package clientlab.server.http2

import clientlab.server.evidence.*
import clientlab.server.net.*
import io.netty.channel.ChannelPipeline
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder
import io.netty.handler.codec.http2.DefaultHttp2Connection
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController
import io.netty.handler.codec.http2.Http2ConnectionDecoder
import io.netty.handler.codec.http2.Http2ConnectionEncoder
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.codec.http2.UniformStreamByteDistributor

/** Lets a connection speak HTTP/2. One event loop has one, because its encoder of heads is shared. */
internal class Http2Pipeline(private val port: DataPort) {
    private val heads = Http2HeadEncoder()

    /** Adds a handler whose requests count as [protocol]. */
    fun addTo(pipeline: ChannelPipeline, wire: DataConnection, protocol: Protocol): Http2Handler =
        Builder(port, wire, protocol, heads).build().also { pipeline.addBefore(DataConnection.NAME, null, it) }

    private class Builder(
        private val port: DataPort,
        private val wire: DataConnection,
        private val protocol: Protocol,
        private val heads: Http2HeadEncoder,
    ) : AbstractHttp2ConnectionHandlerBuilder<Http2Handler, Builder>() {
        init {
            val connection = DefaultHttp2Connection(true)
            // All streams are equal: RFC 9113 has dropped priorities.
            connection.remote().flowController(DefaultHttp2RemoteFlowController(connection, UniformStreamByteDistributor(connection)))
            connection(connection)
            initialSettings(
                Http2Settings
                    .defaultSettings()
                    .maxConcurrentStreams(port.maxStreams.toLong())
                    .maxHeaderListSize(MOST_HEADER_BYTES)
                    .initialWindowSize(WINDOW_BYTES),
            )
            encoderEnforceMaxQueuedControlFrames(MOST_CONTROL_FRAMES)
            // Netty's limits on resets ignore how long a stream had waited; FloodGuard does not.
            decoderEnforceMaxRstFramesPerWindow(0, 0)
            encoderEnforceMaxRstFramesPerWindow(0, 0)
        }

        public override fun build(): Http2Handler = super.build()

        override fun build(decoder: Http2ConnectionDecoder, encoder: Http2ConnectionEncoder, settings: Http2Settings): Http2Handler =
            Http2Handler(decoder, encoder, settings, port, wire, protocol, heads)
    }

    internal companion object {
        /** As much as a request line and headers of HTTP/1 together. */
        private const val MOST_HEADER_BYTES: Long = (MAX_LINE_BYTES + MAX_HEADER_BYTES).toLong()

        /** What a client may send of bodies before it hears from us, per stream and on all together; what is read is never kept. */
        const val WINDOW_BYTES: Int = 1_048_576

        /** Most acknowledgements that wait for a client that does not read. */
        private const val MOST_CONTROL_FRAMES = 1_000
    }
}
