package clientlab.wire

import kotlinx.serialization.Serializable
import kotlinx.serialization.encodeToString
import java.io.InputStream
import java.io.OutputStream
import java.io.PrintStream
import java.net.InetSocketAddress
import java.util.logging.Level
import java.util.logging.Logger
import kotlin.concurrent.thread
import kotlin.system.exitProcess

/**
 * Runs the relay as its own process. When it is ready it prints one line of JSON.
 *
 * It ends with code 0 when standard input ends (with `--parent-stdin`), or when `POST /shutdown` on the control port asks for it. If it
 * cannot start, it ends with code 2 and one sentence on standard error.
 */
public fun main(args: Array<String>) {
    WITHOUT_EXTRAS.forEach { (name, value) -> if (System.getProperty(name) == null) System.setProperty(name, value) }
    exitProcess(relay(args, System.`in`, System.out, System.err))
}

/** Netty follows one buffer in 128 to find leaks, and one answer in a hundred would wait for that; it also registers events for Flight Recorder. */
private val WITHOUT_EXTRAS = mapOf("io.netty.leakDetection.level" to "disabled", "io.netty.jfr.enabled" to "false")

internal fun relay(args: Array<String>, input: InputStream, out: PrintStream, err: PrintStream): Int {
    nettyLog.level = Level.OFF
    return try {
        val asked = Asked.of(args)
        if (asked == null) out.println(USAGE) else relay(asked, input, out)
        0
    } catch (refused: CannotStartException) {
        err.println(refused.message)
        2
    }
}

private fun relay(asked: Asked, input: InputStream, out: PrintStream) {
    Relay(asked.to, asked.host, udp = asked.udp).use { relay ->
        val ends = relay.start(asked.port, asked.controlPort)
        Runtime.getRuntime().addShutdownHook(Thread { relay.close() })
        // Our standard input ends when the parent process ends, even if the parent is killed.
        if (asked.leavesWithParent) {
            thread(name = "parent-watch", isDaemon = true) {
                runCatching { input.transferTo(OutputStream.nullOutputStream()) }
                relay.close()
            }
        }
        out.println(WIRE_JSON.encodeToString(Ready(ends.host, ends.port, ends.controlPort, ends.deadPort, ends.transport)))
        out.flush()
        relay.awaitClose()
    }
}

/** The line that says where to find the relay. */
@Serializable
internal data class Ready(
    val host: String,
    val port: Int,
    val controlPort: Int,
    val deadPort: Int?,
    val transport: String,
    val pid: Long = ProcessHandle.current().pid(),
)

private class Asked(
    val to: InetSocketAddress,
    val host: String,
    val port: Int,
    val controlPort: Int,
    val leavesWithParent: Boolean,
    val udp: Boolean,
) {
    companion object {
        /** What the command line asks for; null for the help. Throws [CannotStartException] with a sentence about the first mistake. */
        fun of(args: Array<String>): Asked? {
            val left = ArrayDeque(args.asList())
            val given = HashMap<String, String>()
            while (left.isNotEmpty()) {
                val name = left.removeFirst()
                if (name == "--help") return null
                if (name !in OPTIONS) throw CannotStartException("'$name' is not an option of the relay: --help lists them.")
                given[name] =
                    if (name in SWITCHES) "" else left.removeFirstOrNull() ?: throw CannotStartException("$name needs a value.")
            }
            val to = given["--to"]?.let { Regex("(.+):(\\d{1,5})").matchEntire(it)?.destructured }
                ?: throw CannotStartException("The relay needs a server: give --to HOST:PORT, as in --to 127.0.0.1:8080.")
            val (host, port) = to
            return Asked(
                InetSocketAddress(host, port("--to", port)),
                given["--host"] ?: "127.0.0.1",
                port("--port", given["--port"] ?: "0"),
                port("--control-port", given["--control-port"] ?: "0"),
                "--parent-stdin" in given,
                "--udp" in given,
            )
        }

        private fun port(option: String, text: String): Int =
            text.toIntOrNull()?.takeIf { it in 0..65_535 } ?: throw CannotStartException("$option '$text' is no port: give 0 to 65535.")

        private val SWITCHES = setOf("--parent-stdin", "--udp")
        private val OPTIONS = setOf("--to", "--host", "--port", "--control-port") + SWITCHES
    }
}

private val USAGE =
    """
    Relay of Client Lab: a network in user space between a client and a server.

      --to <host:port>        the server; what a client sends to the relay goes there
      --host <address>        address to listen on, 127.0.0.1 by default
      --port <n>              port of the clients, a free one by default
      --control-port <n>      port that changes the network, a free one by default:
                              GET and POST /wire as JSON, GET /links, POST /reset, POST /shutdown
      --udp                   passes on datagrams, as those of HTTP/3, and not connections; it can lose some (lossShare)
      --parent-stdin          ends when standard input ends
      --help                  this text

    It prints one line of JSON when it is ready: its ports, one that never answers, and its process.
    """.trimIndent()

private val nettyLog: Logger = Logger.getLogger("io.netty") // in a field because the logging system holds loggers by weak references
