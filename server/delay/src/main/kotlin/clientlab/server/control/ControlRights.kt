package clientlab.server.control

import clientlab.server.request.*
import io.netty.handler.codec.http.FullHttpRequest
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpMethod
import java.security.MessageDigest

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
