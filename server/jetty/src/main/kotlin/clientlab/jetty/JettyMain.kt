package clientlab.jetty

import java.io.InputStream
import java.io.PrintStream
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.system.exitProcess

/**
 * Runs the server as its own process; it prints one line of JSON to standard output when it is ready, and nothing else.
 *
 * It ends with code 0 when standard input ends (with `--parent-stdin`); a termination signal ends it too. If it cannot start, it ends with
 * code 2 and one sentence on standard error.
 */
public fun main(args: Array<String>) {
    exitProcess(serve(args, System.`in`, System.out, System.err))
}

/** Runs until standard input ends, if the options ask for that, and returns the exit code. */
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
        if (arguments.leavesWithParent) endWith(input, end)
        out.println(ready(arguments.settings.host, port))
        out.flush()
        end.await()
    }
}

/** Our standard input ends when the parent process ends, even if the parent is killed. */
private fun endWith(input: InputStream, end: CountDownLatch) {
    thread(name = "parent-watch", isDaemon = true) {
        runCatching {
            val ignored = ByteArray(256)
            while (input.read(ignored) >= 0) Unit
        }
        end.countDown()
    }
}

/** The line that says where to find the server. */
private fun ready(host: String, port: Int): String =
    """{"ready":true,"schemaVersion":1,"host":"$host","port":$port,"pid":${ProcessHandle.current().pid()},"engine":"ktor-jetty",""" +
        """"connectionGroupSize":${JettyServer.CONNECTION_GROUP},"workerGroupSize":${JettyServer.WORKER_GROUP},""" +
        """"callGroupSize":${JettyServer.CALL_GROUP}}"""
