package clientlab.ioapi

import clientlab.transfer.*
import kotlinx.coroutines.suspendCancellableCoroutine
import java.nio.ByteBuffer
import java.nio.channels.AsynchronousFileChannel
import java.nio.channels.AsynchronousSocketChannel
import java.nio.channels.CompletionHandler
import java.nio.file.StandardOpenOption.READ
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException

/**
 * The JDK's [asynchronous channels](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/nio/channels/AsynchronousChannel.html),
 * driven by callbacks alone: each completion starts the next piece, and the caller waits for the last one.
 */
internal object AsyncChannelApi {
    private const val HOW =
        "AsynchronousFileChannel and AsynchronousSocketChannel with completion handlers, through a direct buffer of 64 KiB"
    val entry = IoApiEntry(IoApiInfo("async-channel", "Asynchronous channels", "jdk:java.base", HOW, ON_FILES + ON_SOCKETS), ::open)

    private fun open(task: MoveTask): Mover =
        when (task.operation) {
            Operation.FileRead -> mover { tally -> AsynchronousFileChannel.open(task.path, READ).use { tally.drain(it) } }

            Operation.FileWrite -> mover { AsynchronousFileChannel.open(task.path, *ANEW).use { task.write(it) } }

            else -> mover(
                AsyncSocket(task),
            ) { receiptAfter { write(task.bytes, content) { _, next -> channel.write(content, Unit, next) } } }
        }

    private suspend fun Tally.drain(file: AsynchronousFileChannel) {
        val buffer = ByteBuffer.allocateDirect(Content.BLOCK)
        var at = 0L
        chain(start = { file.read(buffer.clear(), at, Unit, it) }) { length, next ->
            if (length < 0) return@chain false
            at += length
            add(buffer.flip())
            file.read(buffer.clear(), at, Unit, next)
            true
        }
    }

    private suspend fun MoveTask.write(file: AsynchronousFileChannel) {
        val buffer = direct()
        write(bytes, buffer) { at, next -> file.write(buffer, at, Unit, next) }
    }

    /** Writes [bytes] bytes, the content of [buffer] again and again. [start] begins one write at the position that it gets. */
    private suspend fun write(bytes: Long, buffer: ByteBuffer, start: (Long, CompletionHandler<Int, Unit>) -> Unit) {
        var at = 0L

        fun refill() = buffer.clear().limit(minOf(bytes - at, buffer.capacity().toLong()).toInt())
        refill()
        chain(start = { start(at, it) }) { length, next ->
            at += length
            if (at == bytes) return@chain false
            if (!buffer.hasRemaining()) refill()
            start(at, next)
            true
        }
    }
}

/** Suspends until a chain of completions ends: [goOn] gets each result and starts the next operation, or returns false after the last. */
private suspend fun chain(start: (CompletionHandler<Int, Unit>) -> Unit, goOn: (Int, CompletionHandler<Int, Unit>) -> Boolean): Unit =
    suspendCancellableCoroutine { continuation ->
        start(
            object : CompletionHandler<Int, Unit> {
                override fun completed(length: Int, nothing: Unit) {
                    try {
                        if (!goOn(length, this)) continuation.resume(Unit)
                    } catch (e: Exception) {
                        continuation.resumeWithException(e)
                    }
                }

                override fun failed(cause: Throwable, nothing: Unit) = continuation.resumeWithException(cause)
            },
        )
    }

private class AsyncSocket(task: MoveTask) : AutoCloseable {
    val channel: AsynchronousSocketChannel = AsynchronousSocketChannel.open().apply { connect(task.address).get() }
    val content: ByteBuffer = task.direct()
    private val answer = ByteBuffer.allocate(Receipt.SIZE)

    suspend fun receiptAfter(sending: suspend AsyncSocket.() -> Unit): Moved {
        sending()
        answer.clear()
        chain(start = { channel.read(answer, Unit, it) }) { length, next ->
            if (length < 0) throw cutOff()
            if (answer.hasRemaining()) channel.read(answer, Unit, next)
            answer.hasRemaining()
        }
        return Moved(receiptOf(answer))
    }

    override fun close() = channel.close()
}
