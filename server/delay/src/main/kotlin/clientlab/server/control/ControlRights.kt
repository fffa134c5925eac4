package clientlab.server.control

import clientlab.server.CannotStartException
import clientlab.server.ServerSettings
import clientlab.server.request.queryValue
import io.netty.handler.codec.http.FullHttpRequest
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpMethod
import java.net.InetAddress
import java.net.UnknownHostException
import java.security.MessageDigest
import java.security.SecureRandom
import java.util.HexFormat

/**
 * Who may ask the control port.
 *
 * @property token what must come with a question, as `Authorization: Bearer <token>` or `?token=<token>`; null where anybody may ask.
 * @property shutdown ends the server.
 */
internal class ControlRights(private val token: String?, val shutdown: () -> Unit) {
    fun has(request: FullHttpRequest): Boolean {
        if (token == null) return true
        val header = request.headers().get(HttpHeaderNames.AUTHORIZATION)
        val given = header?.takeIf { it.startsWith(BEARER) }?.substring(BEARER.length) ?: queryValue(request.uri(), "token") ?: return false
        // Takes as long for a token that is nearly right as for any other.
        return MessageDigest.isEqual(given.encodeToByteArray(), token.encodeToByteArray())
    }

    /**
     * Whether a page from elsewhere, open in a browser of this machine, wants to reset or end the server: to ask, it needs no leave of
     * ours.
     */
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
