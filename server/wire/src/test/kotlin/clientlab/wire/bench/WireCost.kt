package clientlab.wire.bench

import clientlab.wire.WIRE_JSON
import kotlinx.serialization.Serializable
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.HdrHistogram.Histogram
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Path
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread
import kotlin.io.path.writeText

/**
 * Measures what a relay without any network adds to an answer, and writes it as JSON to the file named first; with `quick` as the second
 * argument in seconds.
 *
 * Each fork is a new relay, with the options that a run gives it. After a warm-up, one connection asks an echo 1,000 times a second, in turns
 * of a second with the relay between and without.
 */
fun main(arguments: Array<String>) {
    val isQuick = "quick" in arguments.drop(1)
    val forks = if (isQuick) listOf(costOfFork(warmUp = 1, turns = 1)) else List(FORKS) { costOfFork(warmUp = 15, turns = 20) }
    Path.of(arguments[0]).writeText(WIRE_JSON.encodeToString(forks))
}

/** What one fork saw, in microseconds from a question to its answer, and how often it asked each way. */
@Serializable
internal data class WireCost(
    val asked: Int,
    val directP50Micros: Double,
    val directP99Micros: Double,
    val relayedP50Micros: Double,
    val relayedP99Micros: Double,
)

/** Warms up for so many seconds, and measures so many [turns] of a second each way. */
internal fun costOfFork(warmUp: Int, turns: Int): WireCost =
    ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()).use { server ->
        thread(name = "echo-accept", isDaemon = true) { echo(server) }
        val relay = relayTo(server.localPort)
        try {
            val port = relay.inputReader().readLine().let { WIRE_JSON.parseToJsonElement(it).jsonObject.getValue("port").jsonPrimitive.int }
            Asking(server.localPort).use { direct ->
                Asking(port).use { relayed ->
                    repeat(warmUp) {
                        relayed.second()
                        direct.second()
                    }
                    direct.seen.reset()
                    relayed.seen.reset()
                    repeat(turns) {
                        direct.second()
                        relayed.second()
                    }
                    WireCost(turns * RATE, direct.micros(50.0), direct.micros(99.0), relayed.micros(50.0), relayed.micros(99.0))
                }
            }
        } finally {
            // The relay ends with its standard input.
            relay.outputStream.close()
            relay.waitFor()
        }
    }

private fun relayTo(port: Int): Process {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val classpath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
    val command =
        listOf(java, "-Xmx256m", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp", classpath, "clientlab.wire.WireMainKt")
    return ProcessBuilder(
        command + listOf("--to", "127.0.0.1:$port", "--parent-stdin"),
    ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
}

private fun echo(server: ServerSocket) {
    while (true) {
        val socket = runCatching { server.accept() }.getOrElse { return }
        socket.tcpNoDelay = true
        thread(name = "echo", isDaemon = true) {
            socket.use {
                while (true) {
                    val question = it.getInputStream().readNBytes(SIZE)
                    if (question.size < SIZE) break
                    it.getOutputStream().write(question)
                }
            }
        }
    }
}

/** One connection that asks, and waits for each answer. */
private class Asking(port: Int) : AutoCloseable {
    private val socket = Socket().apply {
        tcpNoDelay = true
        connect(InetSocketAddress(InetAddress.getLoopbackAddress(), port))
    }
    private val question = ByteArray(SIZE)
    val seen = Histogram(1, MOST_NANOS, DIGITS)

    fun second() {
        val start = System.nanoTime()
        repeat(RATE) {
            LockSupport.parkNanos(start + it * EVERY_NANOS - System.nanoTime())
            val sent = System.nanoTime()
            socket.getOutputStream().write(question)
            check(socket.getInputStream().readNBytes(SIZE).size == SIZE) { "The connection ended." }
            seen.recordValue((System.nanoTime() - sent).coerceAtMost(MOST_NANOS))
        }
    }

    fun micros(percentile: Double): Double = seen.getValueAtPercentile(percentile) / NANOS_PER_MICRO

    override fun close() = socket.close()
}

private const val FORKS = 8
private const val RATE = 1_000
private const val EVERY_NANOS = 1_000_000_000L / RATE
private const val SIZE = 256
private const val BACKLOG = 8
private const val MOST_NANOS = 10_000_000_000L
private const val DIGITS = 3
private const val NANOS_PER_MICRO = 1e3
private const val UNSAFE_OPTION = 24
