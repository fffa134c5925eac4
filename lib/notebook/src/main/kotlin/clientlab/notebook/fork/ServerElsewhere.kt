package clientlab.notebook.fork

import clientlab.notebook.LabException
import clientlab.probe.ServerAddress
import clientlab.probe.ServerGone
import clientlab.probe.ServerProbe
import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import kotlin.time.Duration.Companion.seconds

/**
 * A delay server that somebody else started, be it on another machine: a run uses it, and leaves it running.
 *
 * Its control port is all that has to be known; there it says where the rest of it is.
 */
internal class ServerElsewhere private constructor(
    private val url: String,
    override val address: ServerAddress,
    override val properties: Map<String, String>,
) : TrialServer {
    override val alive: Boolean get() = runCatching { ServerProbe(address).use { it.evidence() } }.isSuccess
    override val gone: String get() = "The delay server at $url had not answered, and did again,"

    override fun again(): ServerElsewhere =
        try {
            find(url)
        } catch (e: LabException) {
            throw IOException("the delay server at $url does not answer any more", e)
        }

    override fun close(): Unit = Unit

    companion object {
        /** The manifest's name for where it is. */
        const val URL: String = "elsewhere"

        /** The server whose control port is at [url]; throws a [LabException] in one sentence where there is none, or one that others use. */
        fun find(url: String): ServerElsewhere =
            asking(url) { probe, control ->
                val told = probe.about()
                val address = control.copy(port = told["port"]?.toIntOrNull() ?: throw LabException(notControl(url)))
                val waiting = probe.evidence().inFlight
                if (waiting > 0) {
                    throw LabException("$waiting requests of others are in flight at $url: wait until it has come to rest, or use another.")
                }
                reach(address, url)
                val roundTrip = probe.clock().errorNanos * 2 / NANOS_A_MICRO
                ServerElsewhere(url, address, told + mapOf(URL to url, "roundTripMicros" to "$roundTrip"))
            }

        /** What [ask] learns from the control port at [url]; throws a [LabException] in one sentence where there is none. */
        fun <T> asking(url: String, ask: (ServerProbe, ServerAddress) -> T): T {
            val control = controlPort(url)
            try {
                return ServerProbe(control).use { ask(it, control) }
            } catch (e: ServerGone) {
                val why = e.cause?.message.orEmpty()
                if ("HTTP/1" in why) throw LabException(notControl(url), e)
                throw LabException(
                    "There is no delay server at $url ($why): start one there with `./lab serve`, and give its control port.",
                    e,
                )
            }
        }

        private fun controlPort(url: String): ServerAddress {
            val uri = runCatching { URI(url) }.getOrNull()
            val host = uri?.host
            if (uri?.scheme != "http" || host == null || uri.port !in 1..LAST_PORT) {
                throw LabException("'$url' is no address of a delay server: give that of its control port, as in http://192.0.2.7:8081.")
            }
            return ServerAddress(host, uri.port, uri.port, elsewhere = true)
        }

        private fun notControl(url: String) =
            "What answers at $url is not the control port of a delay server: give the port that it printed as controlPort when it started."

        /** A control port may be open where the data port is not. */
        private fun reach(address: ServerAddress, url: String) {
            try {
                Socket().use { it.connect(InetSocketAddress(address.host, address.port), PATIENCE.inWholeMilliseconds.toInt()) }
            } catch (e: IOException) {
                val why = "its data port ${address.port} cannot be reached (${e.message})"
                throw LabException("The delay server at $url answers there, but $why: see to the firewall.", e)
            }
        }

        private val PATIENCE = 5.seconds
        private const val LAST_PORT = 65_535
        private const val NANOS_A_MICRO = 1_000L
    }
}
