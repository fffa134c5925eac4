package clientlab.ioapi

import clientlab.transfer.*
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.SocketChannel
import java.nio.channels.WritableByteChannel
import java.nio.file.StandardOpenOption.READ

/** The JDK's [channels](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/nio/channels/package-summary.html), blocking. */
internal object ChannelApi {
    private const val HOW = "FileChannel and SocketChannel, blocking, through a direct buffer of 64 KiB; file to socket by transferTo"
    val entry = IoApiEntry(IoApiInfo("channel", "Channels", "jdk:java.base", HOW, EVERYWHERE), ::open)

    private fun open(task: MoveTask): Mover = when (task.operation) {
        Operation.FileRead -> mover { tally -> FileChannel.open(task.path, READ).use { tally.drain(it) } }
        Operation.FileWrite -> mover { FileChannel.open(task.path, *ANEW).use { task.write(task.direct(), it) } }
        Operation.Pipeline -> mover(ChannelSocket(task)) { receiptAfter { task.transferTo(channel) } }
        else -> mover(ChannelSocket(task)) { receiptAfter { task.write(content, channel) } }
    }

    private fun Tally.drain(file: FileChannel) {
        val buffer = ByteBuffer.allocateDirect(Content.BLOCK)
        while (file.read(buffer.clear()) >= 0) add(buffer.flip())
    }

    private fun MoveTask.write(buffer: ByteBuffer, channel: WritableByteChannel) =
        inPieces { length ->
            buffer.clear().limit(length)
            while (buffer.hasRemaining()) channel.write(buffer)
        }

    private fun MoveTask.transferTo(channel: SocketChannel) =
        FileChannel.open(path, READ).use { file ->
            var at = 0L
            while (at < bytes) at += file.transferTo(at, bytes - at, channel)
        }
}

private class ChannelSocket(task: MoveTask) : AutoCloseable {
    val channel: SocketChannel = SocketChannel.open(task.address)
    val content: ByteBuffer = task.direct()
    private val answer = ByteBuffer.allocate(Receipt.SIZE)

    inline fun receiptAfter(sending: ChannelSocket.() -> Unit): Moved {
        sending()
        answer.clear()
        while (answer.hasRemaining()) if (channel.read(answer) < 0) throw cutOff()
        return Moved(receiptOf(answer))
    }

    override fun close() = channel.close()
}
