package clientlab.ioapi

import clientlab.transfer.*
import java.io.EOFException
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.SocketChannel
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.TRUNCATE_EXISTING
import java.nio.file.StandardOpenOption.WRITE

/** The JDK's [channels](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/nio/channels/package-summary.html), blocking. */
internal object ChannelApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "channel",
                "Channels",
                "jdk:java.base",
                "FileChannel and SocketChannel, blocking, through a direct buffer of 64 KiB; file to socket by transferTo",
                listOf(Operation.FileRead, Operation.FileWrite, Operation.Pipeline) + ON_SOCKETS,
            ),
            ::open,
        )

    private fun open(task: MoveTask): Mover =
        when (task.operation) {
            Operation.FileRead -> {
                mover { tally ->
                    FileChannel.open(task.path, READ).use { channel ->
                        val buffer = ByteBuffer.allocateDirect(Content.BLOCK)
                        while (channel.read(buffer.clear()) >= 0) tally.add(buffer.flip())
                    }
                    Moved.Done
                }
            }

            Operation.FileWrite -> {
                mover {
                    FileChannel.open(task.path, CREATE, WRITE, TRUNCATE_EXISTING).use { channel ->
                        val buffer = task.direct()
                        task.inPieces { length -> channel.writeFully(buffer.clear().limit(length)) }
                    }
                    Moved.Done
                }
            }

            Operation.Pipeline -> {
                mover(ChannelSocket(task)) {
                    FileChannel.open(task.path, READ).use { file ->
                        var at = 0L
                        while (at < task.bytes) at += file.transferTo(at, task.bytes - at, channel)
                    }
                    receipt()
                }
            }

            else -> {
                mover(ChannelSocket(task)) {
                    task.inPieces { length -> channel.writeFully(content.clear().limit(length)) }
                    receipt()
                }
            }
        }

    private fun FileChannel.writeFully(buffer: ByteBuffer) {
        while (buffer.hasRemaining()) write(buffer)
    }

    private fun SocketChannel.writeFully(buffer: ByteBuffer) {
        while (buffer.hasRemaining()) write(buffer)
    }
}

private class ChannelSocket(task: MoveTask) : AutoCloseable {
    val channel: SocketChannel = SocketChannel.open(task.address)
    val content: ByteBuffer = task.direct()
    private val answer = ByteBuffer.allocate(Receipt.SIZE)

    fun receipt(): Moved {
        answer.clear()
        while (answer.hasRemaining()) if (channel.read(answer) < 0) throw EOFException("The other end closed the connection.")
        return Moved(receiptOf(answer.flip()))
    }

    override fun close() = channel.close()
}
