package clientlab.ioapi

import clientlab.transfer.MoveTask
import clientlab.transfer.Moved
import clientlab.transfer.Mover
import clientlab.transfer.Operation
import clientlab.transfer.Receipt
import clientlab.transfer.Tally
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.file.Path

/** What every connection does: these three operations begin alike and differ in what the harness does afterwards. */
internal val ON_SOCKETS: List<Operation> = listOf(Operation.SocketWrite, Operation.Close, Operation.PeerClose)

internal val MoveTask.path: Path get() = checkNotNull(file) { "The operation $operation has a file." }
internal val MoveTask.address: InetSocketAddress get() = checkNotNull(sink) { "The operation $operation has a receiving end." }

/** A mover that does [moving] each time and holds nothing in between. */
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

/** Calls [write] with the length of each piece of the content, the last of which may be shorter. */
internal inline fun MoveTask.inPieces(size: Int = content.size, write: (Int) -> Unit) {
    var left = bytes
    while (left > 0) {
        val length = minOf(left, size.toLong()).toInt()
        write(length)
        left -= length
    }
}

/** The content in a buffer outside the heap, from which the system takes it without a copy; whole blocks of it up to [size]. */
internal fun MoveTask.direct(size: Int = content.size): ByteBuffer {
    val buffer = ByteBuffer.allocateDirect(size)
    while (buffer.hasRemaining()) buffer.put(content)
    return buffer.flip()
}

internal fun receiptOf(buffer: ByteBuffer): Receipt = Receipt(buffer.getLong(), buffer.getLong())
