package clientlab.server.control

import clientlab.server.evidence.*
import clientlab.server.request.*
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
import io.netty.util.concurrent.ScheduledFuture
import kotlinx.serialization.encodeToString
import java.security.MessageDigest
import java.util.concurrent.TimeUnit

/** One connection of the control port: answers one question at a time about the evidence, on the event loop that counts it. */
internal class ControlConnection(
    private val evidence: ServerEvidence,
    private val rights: ControlRights,
    private val certificate: String?,
    private val routes: DataRoutes,
    private val about: () -> String,
) : SimpleChannelInboundHandler<FullHttpRequest>() {
    private var waiter: Waiter? = null
    private var timeout: ScheduledFuture<*>? = null

    override fun channelRead0(ctx: ChannelHandlerContext, request: FullHttpRequest) {
        val path = pathOf(request.uri())
        val keepAlive = HttpUtil.isKeepAlive(request)
        val method = if (path in CHANGES) HttpMethod.POST else HttpMethod.GET
        when {
            request.decoderResult().isFailure -> ctx.say(400, "This is not an HTTP request.", keepAlive = false)
            path != "/health" && !rights.has(request) -> ctx.say(401, ControlRights.REFUSAL, keepAlive = false)
            rights.isForeign(request) -> ctx.say(403, ControlRights.FOREIGN, keepAlive = false)
            waiter != null -> ctx.say(409, "This connection is waiting already: open another for a second question.", keepAlive = false)
            path !in PATHS -> ctx.say(404, "There is no ${quoted(path)} here: this port has ${PATHS.joinToString()}.", keepAlive)
            request.method() != method -> ctx.say(405, "$path takes ${method.name()} alone.", keepAlive, allow = method.name())
            path == "/health" -> ctx.say(200, "ok", keepAlive)
            path == "/evidence" -> ctx.json(EVIDENCE_JSON.encodeToString(evidence.snapshot()), keepAlive)
            path == "/evidence/requests" -> ctx.json(evidence.requests.json(), keepAlive)
            path == "/evidence/connections" -> ctx.json(evidence.connections.json(), keepAlive)
            path == "/certificate" && certificate == null -> ctx.say(404, NO_CERTIFICATE, keepAlive)
            path == "/certificate" -> ctx.respond(200, "application/x-pem-file", certificate.orEmpty(), keepAlive)
            path == "/evidence/clock" -> ctx.json(EVIDENCE_JSON.encodeToString(Clock()), keepAlive)
            path == "/live" -> ctx.respond(200, HTML, LIVE_PAGE, keepAlive, HttpHeaderNames.CONTENT_SECURITY_POLICY to LIVE_POLICY)
            path == "/live/now" -> ctx.json(EVIDENCE_JSON.encodeToString(evidence.live(System.nanoTime())), keepAlive)
            path == "/server" -> ctx.json(about(), keepAlive)
            path == "/evidence/reset" -> ctx.json(EVIDENCE_JSON.encodeToString(reset()), keepAlive)
            path == "/otherwise" -> answerOthers(ctx, request, keepAlive)
            path == "/shutdown" -> ctx.say(200, "The server closes.", keepAlive = false).addListener { rights.shutdown() }
            else -> await(ctx, request.uri(), keepAlive)
        }
    }

    private fun answerOthers(ctx: ChannelHandlerContext, request: FullHttpRequest, keepAlive: Boolean) = try {
        routes.answerOthers(queryValue(request.uri(), "delay") ?: "0", request.content().toString(Charsets.UTF_8))
        ctx.say(200, "Every other path is answered so from now on.", keepAlive)
    } catch (refused: BadRequest) {
        ctx.say(400, refused.message, keepAlive)
    }

    private fun reset(): Evidence = evidence.snapshot().also { evidence.reset(System.nanoTime()) }

    private fun await(ctx: ChannelHandlerContext, target: String, keepAlive: Boolean) {
        val inFlightText = queryValue(target, "inFlight").orEmpty()
        val inFlight = inFlightText.toIntOrNull()?.takeIf { it > 0 }
        if (inFlight == null) {
            ctx.say(400, "inFlight=${quoted(inFlightText)} is not a whole number from 1 on: say how many.", keepAlive)
            return
        }
        val timeoutText = queryValue(target, "timeoutMs") ?: "$DEFAULT_TIMEOUT_MS"
        val timeoutMs = timeoutText.toLongOrNull()?.takeIf { it in 0..MOST_TIMEOUT_MS }
        if (timeoutMs == null) {
            val rule = "is not a whole number from 0 to $MOST_TIMEOUT_MS: leave it out for $DEFAULT_TIMEOUT_MS"
            ctx.say(400, "timeoutMs=${quoted(timeoutText)} $rule.", keepAlive)
            return
        }
        val waiter = Waiter(inFlight) { reached ->
            forget()
            ctx.json(SHORT_JSON.encodeToString(reached), keepAlive)
        }
        this.waiter = waiter
        evidence.add(waiter)
        if (this.waiter == null) return
        val onTimeout = {
            evidence.remove(waiter)
            forget()
            ctx.json(SHORT_JSON.encodeToString(evidence.notReached()), keepAlive)
        }
        timeout = ctx.executor().schedule(onTimeout, timeoutMs, TimeUnit.MILLISECONDS)
    }

    private fun forget() {
        waiter = null
        timeout?.cancel(false)
        timeout = null
    }

    override fun channelInactive(ctx: ChannelHandlerContext) {
        waiter?.let { evidence.remove(it) }
        forget()
        ctx.fireChannelInactive()
    }

    @Deprecated("Netty's interface declares it so")
    override fun exceptionCaught(ctx: ChannelHandlerContext, cause: Throwable) {
        ctx.close()
    }

    private fun ChannelHandlerContext.say(status: Int, text: String, keepAlive: Boolean, allow: String? = null) =
        respond(status, "text/plain; charset=utf-8", text + '\n', keepAlive, allow?.let { HttpHeaderNames.ALLOW to it })

    private fun ChannelHandlerContext.json(text: String, keepAlive: Boolean) = respond(200, "application/json", text + '\n', keepAlive)

    private fun ChannelHandlerContext.respond(
        status: Int,
        type: String,
        text: String,
        keepAlive: Boolean,
        header: Pair<CharSequence, String>? = null,
    ): ChannelFuture {
        val body = ByteBufUtil.writeUtf8(alloc(), text)
        val response = DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body)
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type).setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        if (status == 401) response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer")
        header?.let { (name, value) -> response.headers().set(name, value) }
        HttpUtil.setKeepAlive(response, keepAlive)
        val written = writeAndFlush(response)
        if (!keepAlive) written.addListener(ChannelFutureListener.CLOSE)
        return written
    }

    private companion object {
        val PATHS =
            listOf("/evidence", "/evidence/await", "/evidence/clock", "/evidence/connections", "/evidence/requests", "/evidence/reset") +
                listOf("/certificate", "/health", "/live", "/live/now", "/otherwise", "/server", "/shutdown")
        val CHANGES = setOf("/evidence/reset", "/otherwise", "/shutdown")
        const val HTML = "text/html; charset=utf-8"
        const val NO_CERTIFICATE = "There is no TLS port, and so no certificate: start the server with --tls-port."
        const val DEFAULT_TIMEOUT_MS = 10_000L
        const val MOST_TIMEOUT_MS = 600_000L
    }
}

/** The page at `/live`; it asks for nothing but `/live/now`. */
internal val LIVE_PAGE: String by lazy {
    val page = ControlConnection::class.java.getResourceAsStream("/clientlab/server/control/live.html")
    checkNotNull(page) { "The jar has no page for /live." }.use { it.readBytes().decodeToString() }
}

// A browser runs and loads only what the page itself contains, and asks no other server.
private const val LIVE_POLICY =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** Which requests the control port answers: those with this [token], if there is one. [shutdown] ends the server. */
internal class ControlRights(private val token: String?, val shutdown: () -> Unit) {
    fun has(request: FullHttpRequest): Boolean {
        if (token == null) return true
        val header = request.headers().get(HttpHeaderNames.AUTHORIZATION)
        val given = header?.takeIf { it.startsWith(BEARER) }?.substring(BEARER.length) ?: queryValue(request.uri(), "token") ?: return false
        // The comparison takes equally long for every wrong token.
        return MessageDigest.isEqual(given.encodeToByteArray(), token.encodeToByteArray())
    }

    /** Whether [request] would reset or end the server, and comes from a page of another address: a browser sends it without asking. */
    fun isForeign(request: FullHttpRequest): Boolean {
        val origin = request.headers().get(HttpHeaderNames.ORIGIN) ?: return false
        return request.method() == HttpMethod.POST && origin != "http://" + request.headers().get(HttpHeaderNames.HOST)
    }

    internal companion object {
        private const val BEARER = "Bearer "
        const val REFUSAL: String =
            "This port answers with its token alone: send Authorization: Bearer <token>, or add token=<token>; the server printed it at start."
        const val FOREIGN: String = "A page of another address may not do this: ask from the command line, or from a page of this port."
    }
}
