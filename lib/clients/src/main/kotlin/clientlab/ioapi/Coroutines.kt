package clientlab.ioapi

import clientlab.transfer.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.SelectionKey
import java.nio.channels.SocketChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ

/**
 * Our own coroutine I/O over the JDK's [NIO](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/nio/package-summary.html),
 * because the author of source 001 made one for himself and did not publish it.
 *
 * It reads a file on `Dispatchers.IO`, because every API of the JVM that reads a file blocks a thread, and goes there once for a whole
 * file: once for each piece takes more than twice as long. A socket does not block: when it cannot take more, it waits in a selector.
 */
internal object CoroutineApi {
    private const val PIECE = 1 shl 18
    private const val HOW = "our own: FileChannel on Dispatchers.IO, a direct buffer of 256 KiB; SocketChannel with a selector"
    val entry = IoApiEntry(IoApiInfo("coroutine", "Coroutines over NIO", "clientlab:client-lab-clients", HOW, EVERYWHERE), ::open)

    private fun open(task: MoveTask): Mover = when (task.operation) {
        Operation.FileRead -> mover { tally -> read(task.path) { tally.add(it) } }
        Operation.FileWrite -> mover { write(task) }
        Operation.Pipeline -> mover(CoroutineSocket(task)) { receiptAfter { read(task.path) { write(it) } } }
        else -> mover(CoroutineSocket(task)) { receiptAfter { task.inPieces { length -> write(content.clear().limit(length)) } } }
    }

    /** Reads the file to its end, piece by piece. */
    private suspend fun read(path: Path, take: suspend (ByteBuffer) -> Unit) = withContext(Dispatchers.IO) {
        FileChannel.open(path, READ).use { channel ->
            val piece = ByteBuffer.allocateDirect(PIECE)
            while (channel.read(piece.clear()) >= 0) take(piece.flip())
        }
    }

    private suspend fun write(task: MoveTask) = withContext(Dispatchers.IO) {
        FileChannel.open(task.path, *ANEW).use { channel ->
            val buffer = task.direct(PIECE)
            task.inPieces(PIECE) { length ->
                buffer.clear().limit(length)
                while (buffer.hasRemaining()) channel.write(buffer)
            }
        }
    }
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
            if (length < 0) throw cutOff()
            if (length == 0) SelectorLoop.await(channel, SelectionKey.OP_READ)
        }
        return Moved(receiptOf(answer))
    }

    override fun close() {
        channel.close()
        // The selector frees a closed channel when it looks again, and not before.
        SelectorLoop.wakeup()
    }
}
