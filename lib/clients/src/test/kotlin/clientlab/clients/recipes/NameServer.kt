package clientlab.clients.recipes

import java.net.DatagramPacket
import java.net.DatagramSocket
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.SocketException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

/** A name server that answers every question for an IPv4 address with 127.0.0.1, which may be kept for [ttlSeconds], and counts them. */
internal class NameServer(private val ttlSeconds: Byte) : AutoCloseable {
    private val socket = DatagramSocket(0, InetAddress.getLoopbackAddress())
    private val asked = AtomicInteger()
    val address: InetSocketAddress get() = InetSocketAddress(socket.localAddress, socket.localPort)
    val questions: Int get() = asked.get()

    init {
        thread(isDaemon = true) {
            val packet = DatagramPacket(ByteArray(LONGEST), LONGEST)
            try {
                while (true) {
                    packet.length = LONGEST
                    socket.receive(packet)
                    val answer = answer(packet.data)
                    socket.send(DatagramPacket(answer, answer.size, packet.socketAddress))
                }
            } catch (_: SocketException) {
                // Closed.
            }
        }
    }

    /** RFC 1035, section 4: the header, the question as it was asked, and an address if one of IPv4 was asked for. */
    private fun answer(query: ByteArray): ByteArray {
        val end = (HEADER until query.size).first { query[it] == 0.toByte() } + AFTER_NAME
        val known = query[end - TYPE_FROM_END] == TYPE_A
        if (known) asked.incrementAndGet()
        val counts = byteArrayOf(0, 1, 0, if (known) 1 else 0, 0, 0, 0, 0)
        val record = byteArrayOf(NAME_POINTER, HEADER.toByte(), 0, TYPE_A, 0, 1, 0, 0, 0, ttlSeconds, 0, 4, 127, 0, 0, 1)
        return query.copyOf(2) + ANSWERED + counts + query.copyOfRange(HEADER, end) + if (known) record else ByteArray(0)
    }

    override fun close() = socket.close()

    private companion object {
        const val LONGEST = 4_096
        const val HEADER = 12

        /** After a name stand its last byte, the type and the class. */
        const val AFTER_NAME = 5
        const val TYPE_FROM_END = 3
        const val TYPE_A: Byte = 1

        /** An answer to a query that wanted recursion, which was to be had, without an error. */
        val ANSWERED = byteArrayOf(0x81.toByte(), 0x80.toByte())
        const val NAME_POINTER = 0xC0.toByte()
    }
}
