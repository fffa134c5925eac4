package clientlab.ioapi

import clientlab.transfer.*
import java.io.EOFException
import java.lang.management.ManagementFactory
import java.nio.file.Path

/** Starts the plain loop of `PlainLoop.kt` with the options of this JVM, and lets it do its work once per iteration. */
internal object PlainLoopApi {
    private const val HOW =
        "a main of a few lines over the same streams, in a JVM of its own, with its own clock: the baseline for this lab's harness"
    private val operations = listOf(Operation.FileRead, Operation.SocketWrite)
    val entry =
        IoApiEntry(IoApiInfo("plain-loop", "Plain loop", "jdk:java.base", HOW, operations, ownJvm = true)) { task ->
            mover(PlainLoop(task)) { once() }
        }
}

private class PlainLoop(task: MoveTask) : AutoCloseable {
    private val process: Process = ProcessBuilder(
        listOf(Path.of(System.getProperty("java.home"), "bin", "java").toString()) +
            ManagementFactory.getRuntimeMXBean().inputArguments +
            listOf("-cp", System.getProperty("java.class.path"), "clientlab.ioapi.PlainLoopKt") + arguments(task),
    ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val answers = process.inputReader()
    private val orders = process.outputWriter()

    fun once(): Moved {
        orders.write("again\n")
        orders.flush()
        val answer = answers.readLine() ?: throw EOFException("The plain loop ended before it answered.")
        val (nanos, bytes, checksum) = answer.split(' ').map { it.toLong() }
        return Moved(Receipt(bytes, checksum), nanos)
    }

    override fun close() {
        process.destroyForcibly().waitFor()
    }

    private fun arguments(task: MoveTask) =
        if (task.operation == Operation.FileRead) {
            listOf("read", task.path.toString())
        } else {
            listOf("send", task.address.port.toString(), task.bytes.toString())
        }
}
