package clientlab.jetty

import java.io.IOException
import java.io.InputStream
import java.io.OutputStream
import java.io.PrintStream
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.system.exitProcess

/**
 * Runs the server as its own process. When it is ready it prints one line of JSON. It ends with code 0 when standard input ends (with
 * `--parent-stdin`), and with code 2 and one sentence on standard error if it cannot start; a termination signal ends it too.
 */
public fun main(args: Array<String>) {
    exitProcess(serve(args, System.`in`, System.out, System.err))
}

internal fun serve(args: Array<String>, input: InputStream, out: PrintStream, err: PrintStream): Int =
    try {
        val arguments = parseArguments(args)
        if (arguments.wantsHelp) out.println(USAGE) else serve(arguments, input, out)
        0
    } catch (refused: CannotStartException) {
        err.println(refused.message)
        2
    }

private fun serve(arguments: Arguments, input: InputStream, out: PrintStream) {
    val end = CountDownLatch(1)
    JettyServer(arguments.settings).use { server ->
        val port = server.start()
        // Our standard input ends when the parent process ends, even if the parent is killed.
        if (arguments.leavesWithParent) thread(name = "parent-watch", isDaemon = true) { endWith(input, end) }
        out.println(ready(arguments.settings.host, port))
        out.flush()
        end.await()
    }
}

private fun endWith(input: InputStream, end: CountDownLatch) {
    runCatching { input.transferTo(OutputStream.nullOutputStream()) }
    end.countDown()
}

private fun ready(host: String, port: Int): String =
    """{"ready":true,"schemaVersion":1,"host":"$host","port":$port,"pid":${ProcessHandle.current().pid()},"engine":"ktor-jetty",""" +
        """"connectionGroupSize":${JettyServer.CONNECTION_GROUP},"workerGroupSize":${JettyServer.WORKER_GROUP},""" +
        """"callGroupSize":${JettyServer.CALL_GROUP}}"""

/** The settings of the server; port 0 takes a free one. */
public data class JettySettings(val host: String = "127.0.0.1", val port: Int = 0)

/** The server cannot be started with these settings; [message] is one sentence for the user. */
public class CannotStartException(message: String, cause: Throwable? = null) : IOException(message, cause)

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

private fun port(text: String): Int =
    text.toIntOrNull()?.takeIf { it in 0..65_535 } ?: throw CannotStartException("--port $text cannot be used: give $PORT.")

private const val PORT = "a port from 0 to 65535, where 0 takes a free one"
