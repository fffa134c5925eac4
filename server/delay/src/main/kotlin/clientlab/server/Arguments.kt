package clientlab.server

import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/** What the command line asked for. */
internal class Arguments(val settings: ServerSettings, val leavesWithParent: Boolean, val wantsHelp: Boolean)

internal val USAGE: String =
    """
    Delay server of Client Lab: answers GET /delay?delay=<seconds>&a=<text> after that delay.
    GET / on the data port lists what else it answers.

      --host <address>        address to listen on, 127.0.0.1 if left out
      --port <n>              data port, a free one if left out
      --control-port <n>      port of the evidence, a free one if left out
      --max-delay <seconds>   longest delay that may be asked for, 60 if left out
      --max-in-flight <n>     most requests held at once, 20000 if left out
      --transport <name>      epoll, nio or auto, auto if left out
      --parent-stdin          leave when standard input ends
      --help                  this text
    """.trimIndent()

/** Reads the command line; throws [CannotStartException] with a sentence about the first thing that is wrong in it. */
internal fun parseArguments(args: Array<String>): Arguments {
    var settings = ServerSettings()
    var leavesWithParent = false
    var wantsHelp = false
    val left = ArrayDeque(args.asList())
    while (left.isNotEmpty()) {
        val option = left.removeFirst()

        fun value(wanted: String): String =
            left.removeFirstOrNull() ?: throw CannotStartException("$option needs a value: $wanted.")
        when (option) {
            "--host" -> settings = settings.copy(host = value("an address"))
            "--port" -> settings = settings.copy(port = number(option, value(PORT), PORT, 0..65_535))
            "--control-port" -> settings = settings.copy(controlPort = number(option, value(PORT), PORT, 0..65_535))
            "--max-delay" -> settings = settings.copy(maxDelay = seconds(option, value(MAX_DELAY)))
            "--max-in-flight" -> settings = settings.copy(maxInFlight = number(option, value(MAX_IN_FLIGHT), MAX_IN_FLIGHT, 1..1_000_000))
            "--transport" -> settings = settings.copy(transport = transport(option, value(TRANSPORT)))
            "--parent-stdin" -> leavesWithParent = true
            "--help" -> wantsHelp = true
            else -> throw CannotStartException("${quoted(option)} is not an option of this server: --help lists them.")
        }
    }
    if (settings.port != 0 && settings.port == settings.controlPort) {
        throw CannotStartException("--port and --control-port are both ${settings.port}: choose two, or leave one out for a free one.")
    }
    return Arguments(settings, leavesWithParent, wantsHelp)
}

private const val PORT = "a port from 0 to 65535, where 0 takes a free one"
private const val MAX_DELAY = "seconds from 0 to 86400, such as 60"
private const val MAX_IN_FLIGHT = "a whole number from 1 to 1000000"
private const val TRANSPORT = "epoll, nio or auto"

private fun number(option: String, text: String, wanted: String, range: IntRange): Int =
    text.toIntOrNull()?.takeIf { it in range } ?: throw unusable(option, text, wanted)

private fun seconds(option: String, text: String): Duration =
    parseSeconds(text).takeIf { it in 0..86_400_000_000_000 }?.nanoseconds ?: throw unusable(option, text, MAX_DELAY)

private fun transport(option: String, text: String): Transport =
    Transport.entries.find { it.name.equals(text, ignoreCase = true) } ?: throw unusable(option, text, TRANSPORT)

private fun unusable(option: String, text: String, wanted: String) =
    CannotStartException("$option ${quoted(text)} cannot be used: give $wanted.")
