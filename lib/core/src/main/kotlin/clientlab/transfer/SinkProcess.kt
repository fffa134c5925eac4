package clientlab.transfer

import clientlab.trial.*
import java.net.InetSocketAddress

/** A [Sink] in a process of its own; it ends with this one. */
internal class SinkProcess(bytes: Long, fault: String?) : AutoCloseable {
    private val jvm =
        ChildJvm(
            "sink",
            OPTIONS + listOf("-cp", System.getProperty("java.class.path"), MAIN, bytes.toString()) + listOfNotNull(fault),
        )

    /** Where it listens. */
    val address: InetSocketAddress = InetSocketAddress("127.0.0.1", ask("port").toInt())

    /** Processor time that it has taken so far. */
    val cpuSeconds: Double get() = jvm.cpuSeconds

    /** From now on its receipts carry a checksum. */
    fun check() {
        ask("check")
    }

    /** Closes its end of every connection. */
    fun leave() {
        ask("leave")
    }

    override fun close(): Unit = jvm.close()

    private fun ask(order: String): String = jvm.ask(order, "The receiving end")

    private companion object {
        private const val MAIN = "clientlab.transfer.SinkMainKt"

        /** It has to be ready at once and to take little; its loop spends its time in the system. */
        private val OPTIONS = listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-XX:-UsePerfData")
    }
}
