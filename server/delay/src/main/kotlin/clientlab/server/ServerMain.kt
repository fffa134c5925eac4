package clientlab.server

import clientlab.server.evidence.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import kotlinx.serialization.encodeToString
import java.io.InputStream
import java.io.OutputStream
import java.io.PrintStream
import java.util.logging.Level
import java.util.logging.Logger
import kotlin.concurrent.thread
import kotlin.system.exitProcess
import kotlin.time.DurationUnit

/**
 * Runs the delay server as its own process, with the options in `server/delay/jvm.options`. When it is ready it prints one line of JSON.
 *
 * It ends with code 0 when standard input ends (with `--parent-stdin`), or when `POST /shutdown` on the control port asks for it; a
 * termination signal ends it too. If it cannot start, it ends with code 2 and one sentence on standard error.
 */
public fun main(args: Array<String>) {
    exitProcess(serve(args, System.`in`, System.out, System.err))
}

internal fun serve(args: Array<String>, input: InputStream, out: PrintStream, err: PrintStream): Int {
    nettyLog.level = Level.OFF
    return try {
        val arguments = parseArguments(args)
        if (arguments.wantsHelp) out.println(USAGE) else serve(arguments, input, out, err)
        0
    } catch (refused: CannotStartException) {
        err.println(refused.message)
        2
    }
}

private fun serve(arguments: Arguments, input: InputStream, out: PrintStream, err: PrintStream) {
    DelayServer(arguments.settings, err::println).use { server ->
        val endpoints = server.start()
        Runtime.getRuntime().addShutdownHook(Thread { server.close() })
        // Our standard input ends when the parent process ends, even if the parent is killed.
        if (arguments.leavesWithParent) thread(name = "parent-watch", isDaemon = true) { closeAtEndOf(input, server) }
        out.println(EVIDENCE_JSON.encodeToString(Ready(endpoints, arguments.settings)))
        out.flush()
        server.awaitClose()
    }
}

private fun closeAtEndOf(input: InputStream, server: DelayServer) {
    runCatching { input.transferTo(OutputStream.nullOutputStream()) }
    server.close()
}

/** The line that says where to find the server; `/server` on the control port says the same without the token. */
@Serializable
internal data class Ready(
    val ready: Boolean = true,
    val schemaVersion: Int = 1,
    val host: String,
    val port: Int,
    val controlPort: Int,
    val pid: Long,
    val transport: String,
    val maxDelaySeconds: Double,
    val maxInFlight: Int,
    val backlog: Int,
    @OptIn(ExperimentalSerializationApi::class) @EncodeDefault(EncodeDefault.Mode.NEVER) val token: String? = null,
    val tlsPort: Int? = null,
    val certificate: String? = null,
    val hosts: Int = 1,
    val http3Port: Int? = null,
    val java: String = System.getProperty("java.version"),
    val os: String = System.getProperty("os.name") + ' ' + System.getProperty("os.version"),
    val processors: Int = Runtime.getRuntime().availableProcessors(),
) {
    constructor(endpoints: Endpoints, settings: ServerSettings) : this(
        host = endpoints.host,
        port = endpoints.port,
        controlPort = endpoints.controlPort,
        pid = ProcessHandle.current().pid(),
        transport = endpoints.transport,
        maxDelaySeconds = settings.maxDelay.toDouble(DurationUnit.SECONDS),
        maxInFlight = settings.maxInFlight,
        backlog = endpoints.backlog,
        token = endpoints.token,
        tlsPort = endpoints.tlsPort,
        certificate = endpoints.certificate,
        hosts = endpoints.hosts,
        http3Port = endpoints.http3Port,
    )
}

private val nettyLog: Logger = Logger.getLogger("io.netty") // in a field because the logging system holds loggers by weak references
