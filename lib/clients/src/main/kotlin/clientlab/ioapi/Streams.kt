package clientlab.ioapi

import clientlab.transfer.*
import java.io.FileInputStream
import java.io.FileOutputStream
import java.net.Socket

/** The JDK's [streams](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/io/package-summary.html): they block. */
internal object StreamApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "stream",
                "Streams",
                "jdk:java.base",
                "FileInputStream, FileOutputStream and those of a java.net.Socket, through an array of 64 KiB",
                listOf(Operation.FileRead, Operation.FileWrite, Operation.Pipeline) + ON_SOCKETS,
            ),
            ::open,
        )

    private fun open(task: MoveTask): Mover =
        when (task.operation) {
            Operation.FileRead -> mover { tally -> Moved.Done.also { task.read { chunk, length -> tally.add(chunk, length) } } }

            Operation.FileWrite -> mover { Moved.Done.also { task.write() } }

            Operation.Pipeline -> mover(StreamSocket(task)) {
                send { output -> task.read { chunk, length -> output.write(chunk, 0, length) } }
            }

            else -> mover(StreamSocket(task)) { send { output -> task.inPieces { output.write(task.content, 0, it) } } }
        }

    private inline fun MoveTask.read(take: (ByteArray, Int) -> Unit) =
        FileInputStream(path.toFile()).use { stream ->
            val chunk = ByteArray(Content.BLOCK)
            while (true) {
                val length = stream.read(chunk)
                if (length < 0) break
                take(chunk, length)
            }
        }

    private fun MoveTask.write() = FileOutputStream(path.toFile()).use { stream -> inPieces { stream.write(content, 0, it) } }
}

private class StreamSocket(task: MoveTask) : AutoCloseable {
    private val socket = Socket(task.address.address, task.address.port)
    private val output = socket.getOutputStream()
    private val input = socket.getInputStream()

    inline fun send(write: (java.io.OutputStream) -> Unit): Moved {
        write(output)
        val receipt = input.readNBytes(Receipt.SIZE)
        if (receipt.size < Receipt.SIZE) throw java.io.EOFException("The other end closed the connection.")
        return Moved(Receipt.of(receipt))
    }

    override fun close() = socket.close()
}
