package clientlab.ioapi

import clientlab.transfer.IoApiEntry
import clientlab.transfer.IoApiInfo
import clientlab.transfer.MoveTask
import clientlab.transfer.Moved
import clientlab.transfer.Mover
import clientlab.transfer.Operation
import clientlab.transfer.Receipt
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext
import java.io.EOFException
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.SelectionKey
import java.nio.channels.SocketChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.TRUNCATE_EXISTING
import java.nio.file.StandardOpenOption.WRITE

/**
 * Coroutine IO of our own over the JDK's NIO, as the author of source 001 made for himself (his code is not published).
 *
 * A file is read on `Dispatchers.IO`, for no API of the JVM reads one without blocking a thread, one piece ahead of whoever takes it;
 * a socket does not block, and waits in a selector where it cannot take more.
 */
internal object CoroutineApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "coroutine",
                "Coroutines over NIO",
                "clientlab:client-lab-clients",
                "our own: FileChannel on Dispatchers.IO, two direct buffers of 256 KiB read in turn; SocketChannel with a selector",
                listOf(Operation.FileRead, Operation.FileWrite, Operation.Pipeline) + ON_SOCKETS,
            ),
            ::open,
        )

    private fun open(task: MoveTask): Mover =
        when (task.operation) {
            Operation.FileRead -> mover { tally -> Moved.Done.also { read(task.path) { tally.add(it) } } }
            Operation.FileWrite -> mover { Moved.Done.also { write(task) } }
            Operation.Pipeline -> mover(CoroutineSocket(task)) { receiptAfter { read(task.path) { write(it) } } }
            else -> mover(CoroutineSocket(task)) { receiptAfter { task.inPieces { length -> write(content.clear().limit(length)) } } }
        }

    /** Reads the file to its end; while [take] has one piece the next is read. */
    private suspend fun read(path: Path, take: suspend (ByteBuffer) -> Unit) =
        coroutineScope {
            FileChannel.open(path, READ).use { channel ->
                val buffers = List(2) { ByteBuffer.allocateDirect(PIECE) }
                var turn = 0

                fun next() = async(Dispatchers.IO) { buffers[turn].takeIf { channel.read(it.clear()) >= 0 }?.flip() }
                var reading = next()
                while (true) {
                    val piece = reading.await() ?: break
                    turn = 1 - turn
                    reading = next()
                    take(piece)
                }
            }
        }

    private suspend fun write(task: MoveTask) =
        withContext(Dispatchers.IO) {
            FileChannel.open(task.path, CREATE, WRITE, TRUNCATE_EXISTING).use { channel ->
                val buffer = task.direct(PIECE)
                task.inPieces(PIECE) { length ->
                    buffer.clear().limit(length)
                    while (buffer.hasRemaining()) channel.write(buffer)
                }
            }
        }

    private const val PIECE = 1 shl 18
}

/** A connection that suspends where it would block. */
private class CoroutineSocket(task: MoveTask) : AutoCloseable {
    private val channel: SocketChannel = SocketChannel.open(task.address).apply { configureBlocking(false) }
    private val answer = ByteBuffer.allocate(Receipt.SIZE)
    val content: ByteBuffer = task.direct()

    suspend fun write(buffer: ByteBuffer) {
        while (buffer.hasRemaining()) {
            if (channel.write(buffer) == 0) SelectorLoop.await(channel, SelectionKey.OP_WRITE)
        }
    }

    suspend fun receiptAfter(sending: suspend CoroutineSocket.() -> Unit): Moved {
        sending()
        answer.clear()
        while (answer.hasRemaining()) {
            val length = channel.read(answer)
            if (length < 0) throw EOFException("The other end closed the connection.")
            if (length == 0) SelectorLoop.await(channel, SelectionKey.OP_READ)
        }
        return Moved(receiptOf(answer.flip()))
    }

    override fun close() {
        channel.close()
        // A channel in a selector is closed by the next look of the selector, not before.
        SelectorLoop.wakeup()
    }
}
