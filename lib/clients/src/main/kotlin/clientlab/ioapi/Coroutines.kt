package clientlab.ioapi

import clientlab.transfer.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
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
 * It reads a file on `Dispatchers.IO`, because every API of the JVM that reads a file blocks a thread, and reads one piece ahead of its
 * consumer. A socket does not block: when it cannot take more, it waits in a selector.
 */
internal object CoroutineApi {
    private const val PIECE = 1 shl 18
    private const val HOW =
        "our own: FileChannel on Dispatchers.IO, two direct buffers of 256 KiB read in turn; SocketChannel with a selector"
    val entry = IoApiEntry(IoApiInfo("coroutine", "Coroutines over NIO", "clientlab:client-lab-clients", HOW, EVERYWHERE), ::open)

    private fun open(task: MoveTask): Mover = when (task.operation) {
        Operation.FileRead -> mover { tally -> read(task.path) { tally.add(it) } }
        Operation.FileWrite -> mover { write(task) }
        Operation.Pipeline -> mover(CoroutineSocket(task)) { receiptAfter { read(task.path) { write(it) } } }
        else -> mover(CoroutineSocket(task)) { receiptAfter { task.inPieces { length -> write(content.clear().limit(length)) } } }
    }

    /** Reads the file to its end; it reads the next piece while [take] has the one before. */
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
