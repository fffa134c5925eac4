package clientlab.ioapi

import clientlab.transfer.*
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.file.Path

/** The operations of every connection; they begin alike, and the harness does something else after each. */
internal val ON_SOCKETS: List<Operation> = listOf(Operation.SocketWrite, Operation.Close, Operation.PeerClose)

internal val MoveTask.path: Path get() = checkNotNull(file) { "The operation $operation needs a file: give the task one." }
internal val MoveTask.address: InetSocketAddress
    get() = checkNotNull(sink) { "The operation $operation needs a receiving end: give the task the address of one." }

/** A mover that does [moving] each time and holds nothing between two moves. */
internal fun mover(moving: suspend (Tally) -> Moved): Mover =
    object : Mover {
        override suspend fun move(tally: Tally): Moved = moving(tally)

        override fun close() {}
    }

/** A mover over [held], which it closes. */
internal fun <T : AutoCloseable> mover(held: T, moving: suspend T.(Tally) -> Moved): Mover =
    object : Mover {
        override suspend fun move(tally: Tally): Moved = held.moving(tally)

        override fun close() = held.close()
    }

/** Calls [write] with the length of each piece of the content; the last piece may be shorter. */
internal inline fun MoveTask.inPieces(size: Int = content.size, write: (Int) -> Unit) {
    var left = bytes
    while (left > 0) {
        val length = minOf(left, size.toLong()).toInt()
        write(length)
        left -= length
    }
}

/** The content in a buffer of [size] bytes outside the heap, in whole blocks; the system reads such a buffer without a copy. */
internal fun MoveTask.direct(size: Int = content.size): ByteBuffer {
    val buffer = ByteBuffer.allocateDirect(size)
    while (buffer.hasRemaining()) buffer.put(content)
    return buffer.flip()
}

/** Reads a receipt from [buffer]. */
internal fun receiptOf(buffer: ByteBuffer): Receipt = Receipt(buffer.getLong(), buffer.getLong())
