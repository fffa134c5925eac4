package clientlab.jetty

import java.io.IOException

/** What the server is started with; port 0 takes a free one. */
public data class JettySettings(
    val host: String = "127.0.0.1",
    val port: Int = 0,
)

/** The server cannot be started like this; [message] is one sentence for the person who asked. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

/** What the command line asked for. */
internal class Arguments(val settings: JettySettings, val leavesWithParent: Boolean, val wantsHelp: Boolean)

internal val USAGE: String =
    """
    Ktor on Jetty, set as source 004 sets it: answers GET /datetime?delay=<seconds> and /delay?delay=<seconds> after that delay.

      --host <address>        address to listen on, 127.0.0.1 if left out
      --port <n>              port, a free one if left out
      --parent-stdin          leave when standard input ends
      --help                  this text
    """.trimIndent()

/** Reads the command line; throws [CannotStartException] with a sentence about the first thing that is wrong in it. */
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
