package clientlab.ioapi

import clientlab.transfer.*
import java.io.EOFException
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.file.OpenOption
import java.nio.file.Path
import java.nio.file.StandardOpenOption

internal val ON_FILES: List<Operation> = listOf(Operation.FileRead, Operation.FileWrite)

/** The operations of every connection; they begin alike, and the harness does something else after each. */
internal val ON_SOCKETS: List<Operation> = listOf(Operation.SocketWrite, Operation.Close, Operation.PeerClose)

internal val EVERYWHERE: List<Operation> = ON_FILES + Operation.Pipeline + ON_SOCKETS

/** Opens a file to write it from its beginning, whether or not it exists. */
internal val ANEW: Array<OpenOption> = arrayOf(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)

internal val MoveTask.path: Path get() = checkNotNull(file) { "The operation $operation needs a file: give the task one." }
internal val MoveTask.address: InetSocketAddress
    get() = checkNotNull(sink) { "The operation $operation needs a receiving end: give the task the address of one." }

/** A mover that does [moving] each time, holds nothing between two moves and gets no receipt. */
internal fun mover(moving: suspend (Tally) -> Unit): Mover =
    object : Mover {
        override suspend fun move(tally: Tally): Moved {
            moving(tally)
            return Moved.Done
        }

        override fun close() {}
    }

/** A mover over [held], which it closes. */
internal fun <T : AutoCloseable> mover(held: T, moving: suspend T.() -> Moved): Mover =
    object : Mover {
        override suspend fun move(tally: Tally): Moved = held.moving()

        override fun close() = held.close()
    }

/** Counts what [read] fills an array with, until it returns a negative length. */
internal inline fun Tally.drain(read: (ByteArray) -> Int) {
    val chunk = ByteArray(Content.BLOCK)
    while (true) {
        val length = read(chunk)
        if (length < 0) return
        add(chunk, length)
    }
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

/** Reads a receipt from [buffer], which was written to its end. */
internal fun receiptOf(buffer: ByteBuffer): Receipt = buffer.flip().let { Receipt(it.getLong(), it.getLong()) }

internal fun cutOff() = EOFException("The other end closed the connection.")
