package clientlab.notebook.fork

import clientlab.*
import clientlab.probe.*
import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI

/**
 * A delay server that is already running, here or elsewhere, and stays. Its control port, with `?token=…` if needed, gives its addresses.
 */
internal class RemoteServer private constructor(
    private val given: String,
    override val address: ServerAddress,
    override val properties: Map<String, String>,
) : TrialServer {
    override val alive: Boolean get() = runCatching { ServerProbe(address).use { it.evidence() } }.isSuccess
    override val pid: Long? get() = null
    override val gone: String get() = "The delay server at ${shown(given)} had not answered, and did again,"

    override fun again(): RemoteServer = try {
        find(given)
    } catch (e: LabException) {
        throw IOException("the delay server at ${shown(given)} does not answer any more", e)
    }

    override fun close(): Unit = Unit

    companion object {
        /** The name of its address in the manifest. */
        const val URL: String = "elsewhere"

        /** The address [url] without a token, for manifests and sentences. */
        fun shown(url: String): String = url.substringBefore('?').trimEnd('/')

        /** The server whose control port is at [given]. Throws a [LabException] if there is none, or if others are using it. */
        fun find(given: String): RemoteServer = asking(given) { probe, control ->
            val url = shown(given)
            val told = probe.about()
            val port = told["port"]?.toIntOrNull() ?: throw LabException(notControl(url))
            val (tls, http3) = listOf("tlsPort", "http3Port").map { told[it]?.toIntOrNull() }
            val address = control.copy(port = port, tlsPort = tls, http3Port = http3, certificate = told["certificate"])
            val waiting = probe.evidence().inFlight
            if (waiting > 0) {
                throw LabException("$waiting requests of others are in flight at $url: wait until they are answered, or use another.")
            }
            reach(address, url)
            val roundTrip = probe.clock().errorNanos * 2 / NANOS_A_MICRO
            RemoteServer(given, address, told - "certificate" + mapOf(URL to url, "roundTripMicros" to "$roundTrip"))
        }

        /** The result of [ask] at the control port [given]. Throws a [LabException] with one sentence if there is none. */
        fun <T> asking(given: String, ask: (ServerProbe, ServerAddress) -> T): T {
            val control = controlPort(given)
            try {
                return ServerProbe(control).use { ask(it, control) }
            } catch (e: ServerGone) {
                throw LabException(whyNot(shown(given), e.cause?.message.orEmpty()), e)
            }
        }

        private fun whyNot(url: String, why: String): String = when {
            " 401 " in why -> {
                "The delay server at $url wants its token, which it printed when it started: give $url?token=… as its address."
            }

            "HTTP/1" in why -> {
                notControl(url)
            }

            else -> {
                "There is no delay server at $url ($why): start one there with `./lab serve`, and give its control port."
            }
        }

        private fun notControl(url: String) =
            "What answers at $url is not the control port of a delay server: give the port that it printed as controlPort when it started."

        private fun controlPort(url: String): ServerAddress {
            val uri = runCatching { URI(url) }.getOrNull()?.takeIf { it.scheme == "http" && it.host != null && it.port in 1..LAST_PORT }
                ?: throw LabException("'$url' is no address of a delay server: give that of its control port, as in http://192.0.2.7:8081.")
            val token = uri.query?.takeIf { it.startsWith(TOKEN) }?.removePrefix(TOKEN)
            return ServerAddress(uri.host, uri.port, uri.port, token, remote = true)
        }

        /** The control port may be reachable although the data port is not. */
        private fun reach(address: ServerAddress, url: String) {
            try {
                Socket().use { it.connect(InetSocketAddress(address.host, address.port), PATIENCE_MS) }
            } catch (e: IOException) {
                val why = "its data port ${address.port} cannot be reached (${e.message})"
                throw LabException("The delay server at $url answers, but $why: check the firewall.", e)
            }
        }

        private const val PATIENCE_MS = 5_000
        private const val TOKEN = "token="
        private const val LAST_PORT = 65_535
        private const val NANOS_A_MICRO = 1_000L
    }
}
