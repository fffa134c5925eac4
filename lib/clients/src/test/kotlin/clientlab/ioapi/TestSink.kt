package clientlab.ioapi

import java.io.DataOutputStream
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import java.util.zip.CRC32
import kotlin.concurrent.thread

/** The receiving end in this process: reads [bytes] bytes, answers with their number and checksum, and begins again. */
internal class TestSink(private val bytes: Long, private val cutAt: Long = Long.MAX_VALUE) : AutoCloseable {
    private val listener = ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))
    private val accepted = AtomicInteger()
    private val end = CountDownLatch(1)
    val address = InetSocketAddress("127.0.0.1", listener.localPort)
    val connections: Int get() = accepted.get()

    init {
        thread(isDaemon = true) {
            runCatching {
                while (true) {
                    val connection = listener.accept()
                    accepted.incrementAndGet()
                    thread(isDaemon = true) { runCatching { connection.use(::serve) } }
                }
            }
        }
    }

    /** Returns when a connection was seen to be closed by its other end. */
    fun sawEnd() = end.await()

    override fun close() = listener.close()

    private fun serve(connection: Socket) {
        val input = connection.getInputStream()
        val output = DataOutputStream(connection.getOutputStream())
        val chunk = ByteArray(10_000)
        while (true) {
            val crc = CRC32()
            var got = 0L
            while (got < bytes) {
                val length = input.read(chunk, 0, minOf(chunk.size.toLong(), bytes - got).toInt())
                if (length < 0) return end.countDown()
                got += length
                crc.update(chunk, 0, length)
                if (got >= cutAt) return
            }
            output.writeLong(got)
            output.writeLong(crc.value)
            output.flush()
        }
    }
}
