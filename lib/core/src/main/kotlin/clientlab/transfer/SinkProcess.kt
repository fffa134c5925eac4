package clientlab.transfer

import java.net.InetSocketAddress
import java.nio.file.Path
import java.time.Duration

/** A [Sink] in a process of its own; it ends with this one. */
internal class SinkProcess(bytes: Long, fault: String?) : AutoCloseable {
    private val process: Process =
        ProcessBuilder(
            listOf(Path.of(System.getProperty("java.home"), "bin", "java").toString()) + OPTIONS +
                listOf("-cp", System.getProperty("java.class.path"), "clientlab.transfer.SinkMainKt", bytes.toString()) +
                listOfNotNull(fault),
        ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val answers = process.inputReader()
    private val orders = process.outputWriter()

    /** Where it listens. */
    val address: InetSocketAddress = InetSocketAddress("127.0.0.1", answer().toInt())

    /** Processor time that it has taken so far. */
    val cpuSeconds: Double get() = process
        .info()
        .totalCpuDuration()
        .orElse(Duration.ZERO)
        .toNanos() / 1e9

    /** From now on its receipts carry a checksum. */
    fun check() = order("check")

    /** Closes its end of every connection. */
    fun leave() = order("leave")

    override fun close() {
        process.destroyForcibly().waitFor()
    }

    private fun order(line: String) {
        orders.write(line + "\n")
        orders.flush()
        answer()
    }

    private fun answer(): String = checkNotNull(answers.readLine()) { "The receiving end ended with code ${process.waitFor()}." }

    private companion object {
        /** It must be ready at once and take little; its loop is spent in the system. */
        val OPTIONS = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-XX:-UsePerfData")
    }
}
