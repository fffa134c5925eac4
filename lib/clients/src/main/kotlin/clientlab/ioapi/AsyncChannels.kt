package clientlab.ioapi

import clientlab.transfer.*
import kotlinx.coroutines.suspendCancellableCoroutine
import java.io.EOFException
import java.nio.ByteBuffer
import java.nio.channels.AsynchronousFileChannel
import java.nio.channels.AsynchronousSocketChannel
import java.nio.channels.CompletionHandler
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.TRUNCATE_EXISTING
import java.nio.file.StandardOpenOption.WRITE
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException

/**
 * The JDK's [asynchronous channels](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/nio/channels/AsynchronousChannel.html),
 * driven by callbacks alone: each completion starts the next piece, and the caller waits for the last one.
 */
internal object AsyncChannelApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "async-channel",
                "Asynchronous channels",
                "jdk:java.base",
                "AsynchronousFileChannel and AsynchronousSocketChannel with completion handlers, through a direct buffer of 64 KiB",
                listOf(Operation.FileRead, Operation.FileWrite) + ON_SOCKETS,
            ),
            ::open,
        )

    private fun open(task: MoveTask): Mover =
        when (task.operation) {
            Operation.FileRead -> {
                mover { tally ->
                    AsynchronousFileChannel.open(task.path, READ).use { channel ->
                        val buffer = ByteBuffer.allocateDirect(Content.BLOCK)
                        var at = 0L
                        chain(start = { channel.read(buffer.clear(), at, Unit, it) }) { length, next ->
                            if (length < 0) return@chain false
                            at += length
                            tally.add(buffer.flip())
                            channel.read(buffer.clear(), at, Unit, next)
                            true
                        }
                    }
                    Moved.Done
                }
            }

            Operation.FileWrite -> {
                mover {
                    AsynchronousFileChannel.open(task.path, CREATE, WRITE, TRUNCATE_EXISTING).use { channel ->
                        val buffer = task.direct()
                        write(task.bytes, buffer) { at, next -> channel.write(buffer, at, Unit, next) }
                    }
                    Moved.Done
                }
            }

            else -> {
                mover(AsyncSocket(task)) {
                    write(task.bytes, content) { _, next -> channel.write(content, Unit, next) }
                    receipt()
                }
            }
        }

    /** Writes [bytes] bytes, the content of [buffer] again and again. [start] begins one write at the position that it gets. */
    private suspend fun write(bytes: Long, buffer: ByteBuffer, start: (Long, CompletionHandler<Int, Unit>) -> Unit) {
        var at = 0L

        fun piece() = buffer.clear().limit(minOf(bytes, buffer.capacity().toLong()).toInt())
        piece()
        chain(start = { start(at, it) }) { length, next ->
            at += length
            if (at == bytes) return@chain false
            if (!buffer.hasRemaining()) buffer.clear().limit(minOf(bytes - at, buffer.capacity().toLong()).toInt())
            start(at, next)
            true
        }
    }
}

/** Suspends until a chain of completions ends: [goOn] gets each result and starts the next operation, or returns false after the last. */
private suspend fun chain(
    start: (CompletionHandler<Int, Unit>) -> Unit,
    goOn: (Int, CompletionHandler<Int, Unit>) -> Boolean,
): Unit =
    suspendCancellableCoroutine { continuation ->
        start(
            object : CompletionHandler<Int, Unit> {
                override fun completed(length: Int, nothing: Unit) {
                    val more =
                        try {
                            goOn(length, this)
                        } catch (e: Exception) {
                            return continuation.resumeWithException(e)
                        }
                    if (!more) continuation.resume(Unit)
                }

                override fun failed(cause: Throwable, nothing: Unit) = continuation.resumeWithException(cause)
            },
        )
    }

private class AsyncSocket(task: MoveTask) : AutoCloseable {
    val channel: AsynchronousSocketChannel = AsynchronousSocketChannel.open().apply { connect(task.address).get() }
    val content: ByteBuffer = task.direct()
    private val answer = ByteBuffer.allocate(Receipt.SIZE)

    suspend fun receipt(): Moved {
        answer.clear()
        chain(start = { channel.read(answer, Unit, it) }) { length, next ->
            if (length < 0) throw EOFException("The other end closed the connection.")
            if (answer.hasRemaining()) channel.read(answer, Unit, next)
            answer.hasRemaining()
        }
        return Moved(receiptOf(answer.flip()))
    }

    override fun close() = channel.close()
}
