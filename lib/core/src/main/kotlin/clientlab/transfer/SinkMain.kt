package clientlab.transfer

import clientlab.trial.*
import java.net.InetAddress
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.channels.ServerSocketChannel
import java.nio.channels.SocketChannel
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.zip.CRC32
import kotlin.concurrent.thread

/**
 * The receiving end of socket transfers, in a process of its own: reads `bytes` bytes, answers with a receipt, and begins again.
 *
 * In the sender's JVM it would use heap, compilers and processor time that are measured. It blocks in plain reads into one direct buffer,
 * which is the cheapest way, and computes a checksum only after the order `check`. Arguments: bytes, and perhaps `cut` or `flip`.
 *
 * On standard input it takes `port`, `check` and `leave` (close every connection), and answers each with a line; it ends with its input.
 */
public fun main(arguments: Array<String>) {
    val sink = Sink(arguments[0].toLong(), arguments.getOrNull(1))
    obeyParent { order ->
        when (order) {
            "check" -> sink.checking = true
            "leave" -> sink.leave()
        }
        println(if (order == "port") sink.port else "ok")
    }
}

/** The process of [main]; it ends with this one. */
internal class SinkProcess(bytes: Long, fault: String?) : AutoCloseable {
    private val jvm =
        ChildJvm("sink", OPTIONS + listOf("-cp", System.getProperty("java.class.path"), MAIN, "$bytes") + listOfNotNull(fault))

    val address: InetSocketAddress = InetSocketAddress("127.0.0.1", ask("port").toInt())

    val cpuSeconds: Double get() = jvm.cpuSeconds

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

private class Sink(private val bytes: Long, private val fault: String?) {
    private val listener: ServerSocketChannel =
        ServerSocketChannel.open().bind(InetSocketAddress(InetAddress.getByAddress(byteArrayOf(127, 0, 0, 1)), 0))
    private val connections = ConcurrentLinkedQueue<SocketChannel>()
    val port: Int = (listener.localAddress as InetSocketAddress).port

    @Volatile var checking = false

    init {
        thread(isDaemon = true, name = "sink-accept") {
            runCatching {
                while (true) {
                    val connection = listener.accept()
                    connections += connection
                    thread(isDaemon = true, name = "sink-read") { runCatching { connection.use(::receive) } }
                }
            }
        }
    }

    fun leave() = connections.forEach { it.close() }

    private fun receive(connection: SocketChannel) {
        val buffer = ByteBuffer.allocateDirect(BUFFER)
        while (true) {
            val receipt = transfer(connection, buffer) ?: return
            val answer = ByteBuffer.allocate(Receipt.SIZE).putLong(receipt.bytes)
            answer.putLong(receipt.checksum).flip()
            while (answer.hasRemaining()) connection.write(answer)
        }
    }

    /** Null if the sender has ended, or if the transfer must be cut. */
    private fun transfer(connection: SocketChannel, buffer: ByteBuffer): Receipt? {
        var crc: CRC32? = null
        var flip = fault == "flip"
        var left = bytes
        while (left > 0) {
            buffer.clear().limit(minOf(left, BUFFER.toLong()).toInt())
            val length = connection.read(buffer)
            if (length < 0) return null
            // Read with the first bytes and not before, because this thread has waited for them since the last receipt.
            if (left == bytes && checking) crc = CRC32()
            left -= length
            if (fault == "cut" && left <= bytes / 2) return null
            if (crc != null) {
                if (flip) buffer.put(0, (buffer.get(0) + 1).toByte())
                flip = false
                crc.update(buffer.flip())
            }
        }
        return Receipt(bytes, crc?.value ?: -1)
    }
}

private const val BUFFER = 1 shl 18
