package clientlab.server

import clientlab.server.request.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/** The command line, read. */
internal class Arguments(val settings: ServerSettings, val leavesWithParent: Boolean, val wantsHelp: Boolean)

internal val USAGE: String =
    """
    Delay server of Client Lab: answers GET /delay?delay=<seconds>&a=<text> after that delay.
    It speaks HTTP/1.1, and HTTP/2 (h2c) if a client begins with it; with --upgrade also if a client offers it.
    GET / on the data port lists what else it answers; in a browser it is a page to try every request.

    Where it listens
      --host <address>        address to listen on, 127.0.0.1 by default
      --expose                allows a --host that other machines can reach; the control port then asks for a token
      --hosts <n>             listen for requests on 127.0.0.1 to 127.0.0.n, 1 by default: one server that is n hosts for a client;
                              if the system has fewer such addresses (macOS has one), on those; the line printed at start says how many
      --port <n>              data port, a free one by default
      --control-port <n>      port of the evidence, a free one by default
      --tls-port <n>          port of HTTP/2 and HTTP/1.1 over TLS, 0 for a free one; none by default. The server makes its certificate
                              at start, prints it in its line of JSON, and gives it on the control port (/certificate)
      --token <text>          what the control port asks for (Authorization: Bearer <text>); with --expose the server makes one by default
      --transport <name>      epoll, nio or auto, auto by default

    What it gives
      --upgrade               answers in HTTP/2 if a request of HTTP/1.1 offers that; without it in HTTP/1.1, as most servers do
      --max-delay <seconds>   longest that anything may take, 60 by default
      --max-in-flight <n>     most requests held at once, 20000 by default; one more is answered 503
      --max-streams <n>       most streams at once on an HTTP/2 connection, by default 1000 more than --max-in-flight
      --max-connections <n>   most connections at once, no limit by default; the first request of one more is answered 503
      --max-rate <n>          most requests per second, no limit by default; one more is answered 429
      --delays <name>=<file>  delays to draw from, one per line, for delay=file(name); may be given again for another name

    When it gives up on a client
      --head-timeout <s>      closes a connection whose first request has not been read after this time, 60 by default
      --idle-timeout <s>      closes a connection that lies unused, or an answer unread, for this time, 300 by default; waiting is not idle

    When it ends
      --parent-stdin          ends when standard input ends
      --help                  this text

    It prints one line of JSON when it is ready: its ports, its process and the token, if it has one.
    """.trimIndent()

/** Reads the command line; throws [CannotStartException] with a sentence about the first mistake in it. */
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
            "--hosts" -> settings = settings.copy(hosts = number(option, value(HOSTS), HOSTS, 1..MOST_HOSTS))
            "--port" -> settings = settings.copy(port = number(option, value(PORT), PORT, 0..65_535))
            "--control-port" -> settings = settings.copy(controlPort = number(option, value(PORT), PORT, 0..65_535))
            "--tls-port" -> settings = settings.copy(tlsPort = number(option, value(PORT), PORT, 0..65_535))
            "--upgrade" -> settings = settings.copy(takesUpgrades = true)
            "--max-streams" -> settings = settings.copy(maxStreams = number(option, value(COUNT), COUNT, 1..1_000_000))
            "--max-delay" -> settings = settings.copy(maxDelay = seconds(option, value(MAX_DELAY)))
            "--max-in-flight" -> settings = settings.copy(maxInFlight = number(option, value(COUNT), COUNT, 1..1_000_000))
            "--max-connections" -> settings = settings.copy(maxConnections = number(option, value(COUNT), COUNT, 1..1_000_000))
            "--max-rate" -> settings = settings.copy(maxRate = number(option, value(COUNT), COUNT, 1..1_000_000))
            "--head-timeout" -> settings = settings.copy(headTimeout = timeout(option, value(TIMEOUT)))
            "--idle-timeout" -> settings = settings.copy(idleTimeout = timeout(option, value(TIMEOUT)))
            "--delays" -> settings = settings.copy(delays = settings.delays + delays(option, value(DELAYS)))
            "--token" -> settings = settings.copy(token = token(option, value(TOKEN)))
            "--expose" -> settings = settings.copy(isExposed = true)
            "--transport" -> settings = settings.copy(transport = transport(option, value(TRANSPORT)))
            "--parent-stdin" -> leavesWithParent = true
            "--help" -> wantsHelp = true
            else -> throw CannotStartException("${quoted(option)} is not an option of this server: --help lists them.")
        }
    }
    checkTogether(settings)
    return Arguments(settings, leavesWithParent, wantsHelp)
}

/** Refuses options that are right by themselves and wrong together. */
private fun checkTogether(settings: ServerSettings) {
    if (settings.hosts > 1 && settings.host != LOOPBACK) {
        throw CannotStartException("--hosts counts addresses from $LOOPBACK on: leave out --host, or --hosts.")
    }
    val ports = listOf("--port" to settings.port, "--control-port" to settings.controlPort, "--tls-port" to (settings.tlsPort ?: 0))
    val taken = HashMap<Int, String>()
    for ((option, port) in ports.filter { it.second != 0 }) {
        val other = taken.put(port, option) ?: continue
        throw CannotStartException("$other and $option are both $port: choose two, or leave one out for a free one.")
    }
}

private const val LOOPBACK = "127.0.0.1"
private const val MOST_HOSTS = 254
private const val HOSTS = "a whole number from 1 to $MOST_HOSTS"
private const val PORT = "a port from 0 to 65535, where 0 takes a free one"
private const val MAX_DELAY = "seconds from 0 to 86400, such as 60"
private const val COUNT = "a whole number from 1 to 1000000"
private const val TIMEOUT = "seconds from 0.1 to 86400, such as 60"
private const val DELAYS = "a name of letters, digits, - and _, then = and a file with one delay per line, such as day=delays.txt"
private const val TOKEN = "16 to 128 letters, digits, - and _"
private const val TRANSPORT = "epoll, nio or auto"

private fun number(option: String, text: String, wanted: String, range: IntRange): Int =
    text.toIntOrNull()?.takeIf { it in range } ?: throw unusable(option, text, wanted)

private fun seconds(option: String, text: String): Duration =
    parseSeconds(text).takeIf { it in 0..86_400_000_000_000 }?.nanoseconds ?: throw unusable(option, text, MAX_DELAY)

private fun timeout(option: String, text: String): Duration =
    parseSeconds(text).takeIf { it in 100_000_000..86_400_000_000_000 }?.nanoseconds ?: throw unusable(option, text, TIMEOUT)

private fun delays(option: String, text: String): Pair<String, LongArray> {
    val name = text.substringBefore('=', "")
    if (!NAME.matches(name)) throw unusable(option, text, DELAYS)
    return name to readDelays("$option $name", text.substringAfter('='))
}

private fun token(option: String, text: String): String =
    // The sentence does not repeat the token, because others may read it.
    text.takeIf { it.length in 16..128 && NAME.matches(it) } ?: throw CannotStartException("$option cannot be used as it is: give $TOKEN.")

private val NAME = Regex("[A-Za-z0-9_-]+")

private fun transport(option: String, text: String): Transport =
    Transport.entries.find { it.name.equals(text, ignoreCase = true) } ?: throw unusable(option, text, TRANSPORT)

private fun unusable(option: String, text: String, wanted: String) =
    CannotStartException("$option ${quoted(text)} cannot be used: give $wanted.")
