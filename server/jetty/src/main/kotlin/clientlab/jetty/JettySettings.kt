package clientlab.jetty

import java.io.IOException

/** The settings of the server; port 0 takes a free one. */
public data class JettySettings(val host: String = "127.0.0.1", val port: Int = 0)

/** The server cannot be started with these settings; [message] is one sentence for the user. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

/** The command line, read. */
internal class Arguments(val settings: JettySettings, val leavesWithParent: Boolean, val wantsHelp: Boolean)

internal val USAGE: String =
    """
    Ktor on Jetty, set as source 004 sets it: answers GET /datetime?delay=<seconds> and /delay?delay=<seconds> after that delay.

      --host <address>        address to listen on, 127.0.0.1 by default
      --port <n>              port, a free one by default
      --parent-stdin          ends when standard input ends
      --help                  this text
    """.trimIndent()

/** Reads the command line; throws [CannotStartException] with a sentence about the first mistake in it. */
internal fun parseArguments(args: Array<String>): Arguments {
    var settings = JettySettings()
    var leavesWithParent = false
    var wantsHelp = false
    val left = ArrayDeque(args.asList())
    while (left.isNotEmpty()) {
        val option = left.removeFirst()

        fun value(wanted: String) = left.removeFirstOrNull() ?: throw CannotStartException("$option needs a value: $wanted.")
        when (option) {
            "--host" -> settings = settings.copy(host = value("an address"))
            "--port" -> settings = settings.copy(port = port(value(PORT)))
            "--parent-stdin" -> leavesWithParent = true
            "--help" -> wantsHelp = true
            else -> throw CannotStartException("$option is not an option of this server: --help lists them.")
        }
    }
    return Arguments(settings, leavesWithParent, wantsHelp)
}

private const val PORT = "a port from 0 to 65535, where 0 takes a free one"

private fun port(text: String): Int =
    text.toIntOrNull()?.takeIf { it in 0..65_535 } ?: throw CannotStartException("--port $text cannot be used: give $PORT.")
