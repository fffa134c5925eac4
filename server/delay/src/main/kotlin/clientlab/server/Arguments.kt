package clientlab.server

import clientlab.server.request.*
import java.io.IOException
import java.nio.charset.MalformedInputException
import java.nio.file.Files
import java.nio.file.InvalidPathException
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

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
      --http3-port <n>        port of HTTP/3 over QUIC (UDP), 0 for a free one; none by default; with the same certificate
      --token <text>          what the control port asks for (Authorization: Bearer <text>); with --expose the server makes one by default
      --transport <name>      epoll, nio or auto, auto by default

    What it gives
      --upgrade               answers in HTTP/2 if a request of HTTP/1.1 offers that; without it in HTTP/1.1, as most servers do
      --max-delay <seconds>   longest that anything may take, 60 by default
      --max-in-flight <n>     most requests held at once, 20000 by default; one more is answered 503
      --max-streams <n>       most streams at once on a connection of HTTP/2 or HTTP/3, by default 1000 more than --max-in-flight
      --max-connections <n>   most connections at once, no limit by default; the first request of one more is answered 503
      --max-rate <n>          most requests per second, no limit by default; one more is answered 429
      --max-burst <n>         most requests at once within --max-rate, after a rest; by default as many as --max-rate
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
        val option = Option(left.removeFirst(), left)
        settings = when (option.name) {
            "--host" -> settings.copy(host = option.value("an address"))
            "--hosts" -> settings.copy(hosts = option.number("a whole number from 1 to 254", 1..254))
            "--port" -> settings.copy(port = option.port())
            "--control-port" -> settings.copy(controlPort = option.port())
            "--tls-port" -> settings.copy(tlsPort = option.port())
            "--http3-port" -> settings.copy(http3Port = option.port())
            "--upgrade" -> settings.copy(takesUpgrades = true)
            "--max-streams" -> settings.copy(maxStreams = option.count())
            "--max-delay" -> settings.copy(maxDelay = option.seconds("seconds from 0 to 86400, such as 60", 0))
            "--max-in-flight" -> settings.copy(maxInFlight = option.count())
            "--max-connections" -> settings.copy(maxConnections = option.count())
            "--max-rate" -> settings.copy(maxRate = option.count())
            "--max-burst" -> settings.copy(maxBurst = option.count())
            "--head-timeout" -> settings.copy(headTimeout = option.timeout())
            "--idle-timeout" -> settings.copy(idleTimeout = option.timeout())
            "--delays" -> settings.copy(delays = settings.delays + option.delays())
            "--token" -> settings.copy(token = option.token())
            "--expose" -> settings.copy(isExposed = true)
            "--transport" -> settings.copy(transport = option.transport())
            "--parent-stdin" -> settings.also { leavesWithParent = true }
            "--help" -> settings.also { wantsHelp = true }
            else -> throw CannotStartException("${quoted(option.name)} is not an option of this server: --help lists them.")
        }
    }
    checkTogether(settings)
    return Arguments(settings, leavesWithParent, wantsHelp)
}

/** Refuses options that are right by themselves and wrong together. */
private fun checkTogether(settings: ServerSettings) {
    if (settings.hosts > 1 && settings.host != "127.0.0.1") {
        throw CannotStartException("--hosts counts addresses from 127.0.0.1 on: leave out --host, or --hosts.")
    }
    val ports = listOf("--port" to settings.port, "--control-port" to settings.controlPort, "--tls-port" to (settings.tlsPort ?: 0))
    val taken = HashMap<Int, String>()
    for ((option, port) in ports.filter { it.second != 0 }) {
        val other = taken.put(port, option) ?: continue
        throw CannotStartException("$other and $option are both $port: choose two, or leave one out for a free one.")
    }
}

/** The option [name] of a command line, which takes its value from the arguments that are [left]. */
private class Option(val name: String, private val left: ArrayDeque<String>) {
    fun value(wanted: String): String = left.removeFirstOrNull() ?: throw CannotStartException("$name needs a value: $wanted.")

    private fun <T : Any> value(wanted: String, read: (String) -> T?): T {
        val text = value(wanted)
        return read(text) ?: throw CannotStartException("$name ${quoted(text)} cannot be used: give $wanted.")
    }

    fun number(wanted: String, range: IntRange): Int = value(wanted) { text -> text.toIntOrNull()?.takeIf { it in range } }

    fun port(): Int = number("a port from 0 to 65535, where 0 takes a free one", 0..65_535)

    fun count(): Int = number("a whole number from 1 to 1000000", 1..1_000_000)

    fun seconds(wanted: String, leastNanos: Long): Duration =
        value(wanted) { text -> parseSeconds(text).takeIf { it in leastNanos..86_400_000_000_000 }?.nanoseconds }

    fun timeout(): Duration = seconds("seconds from 0.1 to 86400, such as 60", 100_000_000)

    fun delays(): Pair<String, LongArray> =
        value("a name of letters, digits, - and _, then = and a file with one delay per line, such as day=delays.txt") { text ->
            val delays = text.substringBefore('=', "").takeIf(NAME::matches)
            delays?.let { it to readDelays("$name $it", text.substringAfter('=')) }
        }

    fun token(): String {
        val wanted = "16 to 128 letters, digits, - and _"
        // The sentence does not repeat the token, because others may read it.
        return value(wanted).takeIf { it.length in 16..128 && NAME.matches(it) }
            ?: throw CannotStartException("$name cannot be used as it is: give $wanted.")
    }

    fun transport(): Transport = value("epoll, nio or auto") { text -> Transport.entries.find { it.name.equals(text, ignoreCase = true) } }

    private companion object {
        val NAME = Regex("[A-Za-z0-9_-]+")
    }
}

/** Reads a file of delays, one per line; text behind a `#` is skipped. Only here the server opens a file that a user named. */
private fun readDelays(option: String, file: String): LongArray {
    fun refused(what: String, cause: Exception? = null) = CannotStartException("$option: ${quoted(file)} $what.", cause)
    val lines = try {
        Files.readAllLines(Path.of(file))
    } catch (e: IOException) {
        val why = if (e is MalformedInputException) "it is not text" else "there is no such file, or it may not be read"
        throw refused("cannot be read ($why): $GIVE_DELAYS", e)
    } catch (e: InvalidPathException) {
        throw refused("is not a file name: $GIVE_DELAYS", e)
    }
    val values = lines.mapIndexedNotNull { i, line ->
        val text = line.substringBefore('#').trim()
        val nanos = if (text.isEmpty()) null else parseTime(text)
        if (nanos == NOT_SECONDS) {
            throw CannotStartException("$option: line ${i + 1} is ${quoted(text)}, and must be a delay: seconds, or a time such as 250ms.")
        }
        nanos
    }
    if (values.size > MOST_VALUES) throw refused("has more than $MOST_VALUES delays: give fewer")
    if (values.isEmpty()) throw refused("has no delay in it: $GIVE_DELAYS")
    return values.toLongArray()
}

private const val GIVE_DELAYS = "give a file with one delay per line"
private const val MOST_VALUES = 1_000_000
