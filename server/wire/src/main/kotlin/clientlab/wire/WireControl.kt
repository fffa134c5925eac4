package clientlab.wire

import io.netty.buffer.ByteBufUtil
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelFutureListener
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.SimpleChannelInboundHandler
import io.netty.handler.codec.http.DefaultFullHttpResponse
import io.netty.handler.codec.http.FullHttpRequest
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpMethod
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http.HttpVersion
import kotlinx.serialization.SerializationException
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json

internal val WIRE_JSON = Json { encodeDefaults = true }

/** One connection of the control port: reads and changes the wire of [relay]. */
internal class WireControl(private val relay: Relay, private val shutdown: () -> Unit) : SimpleChannelInboundHandler<FullHttpRequest>() {
    override fun channelRead0(ctx: ChannelHandlerContext, request: FullHttpRequest) {
        val path = request.uri().substringBefore('?')
        val keepAlive = HttpUtil.isKeepAlive(request)
        val methods = PATHS[path]
        when {
            request.decoderResult().isFailure -> ctx.say(400, "This is not an HTTP request.", keepAlive = false)

            // A page of another address that is open in a browser must not change the network.
            request.headers().contains(HttpHeaderNames.ORIGIN) -> ctx.say(403, "A page may not do this.", keepAlive = false)

            methods == null -> ctx.say(404, "There is no such path here: this port has ${PATHS.keys.joinToString()}.", keepAlive)

            request.method().name() !in methods -> ctx.say(405, "$path takes ${methods.joinToString(" or ")}.", keepAlive)

            path == "/health" -> ctx.say(200, "ok", keepAlive)

            path == "/links" -> ctx.json(WIRE_JSON.encodeToString(relay.seen), keepAlive)

            path == "/reset" -> ctx.json(WIRE_JSON.encodeToString(relay.seen.also { relay.reset() }), keepAlive)

            path == "/shutdown" -> ctx.say(200, "The relay closes.", keepAlive = false).addListener { shutdown() }

            request.method() == HttpMethod.GET -> ctx.json(WIRE_JSON.encodeToString(relay.wire), keepAlive)

            else -> change(ctx, request.content().toString(Charsets.UTF_8), keepAlive)
        }
    }

    private fun change(ctx: ChannelHandlerContext, text: String, keepAlive: Boolean) {
        val asked = try {
            WIRE_JSON.decodeFromString<Wire>(text)
        } catch (wrong: SerializationException) {
            ctx.say(400, "This is no wire: ${wrong.message.orEmpty().lineSequence().first()}", keepAlive)
            return
        } catch (wrong: IllegalArgumentException) {
            ctx.say(400, wrong.message.orEmpty(), keepAlive)
            return
        }
        relay.wire = asked
        ctx.json(WIRE_JSON.encodeToString(asked), keepAlive)
    }

    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        ctx.close()
    }

    private fun ChannelHandlerContext.say(status: Int, text: String, keepAlive: Boolean) =
        respond(status, "text/plain; charset=utf-8", text + '\n', keepAlive)

    private fun ChannelHandlerContext.json(text: String, keepAlive: Boolean) = respond(200, "application/json", text + '\n', keepAlive)

    private fun ChannelHandlerContext.respond(status: Int, type: String, text: String, keepAlive: Boolean): ChannelFuture {
        val body = ByteBufUtil.writeUtf8(alloc(), text)
        val response = DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body)
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type).setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        HttpUtil.setKeepAlive(response, keepAlive)
        val written = writeAndFlush(response)
        if (!keepAlive) written.addListener(ChannelFutureListener.CLOSE)
        return written
    }

    private companion object {
        val PATHS = mapOf(
            "/health" to listOf("GET"),
            "/links" to listOf("GET"),
            "/wire" to listOf("GET", "POST"),
            "/reset" to listOf("POST"),
            "/shutdown" to listOf("POST"),
        )
    }
}
