package clientlab.server

import java.net.InetAddress
import java.net.UnknownHostException
import java.security.SecureRandom
import java.util.HexFormat

/**
 * The token of the control port of a server with these [settings]; null on loopback, unless a token was given. Throws
 * [CannotStartException] if other machines could reach the server and --expose is missing.
 */
internal fun tokenOf(settings: ServerSettings): String? {
    if (isLoopback(settings.host)) return settings.token
    if (!settings.isExposed) {
        throw CannotStartException(
            "${settings.host} lets other machines in: add --expose if that is meant, or leave --host out for 127.0.0.1.",
        )
    }
    return settings.token ?: HexFormat.of().formatHex(ByteArray(TOKEN_BYTES).also { SecureRandom().nextBytes(it) })
}

private fun isLoopback(host: String): Boolean = try {
    InetAddress.getByName(host).isLoopbackAddress
} catch (_: UnknownHostException) {
    // Listening there fails later, with its own sentence.
    true
}

private const val TOKEN_BYTES = 16
