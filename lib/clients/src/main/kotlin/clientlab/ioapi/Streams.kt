package clientlab.ioapi

import clientlab.transfer.*
import java.io.FileInputStream
import java.io.FileOutputStream
import java.io.OutputStream
import java.net.Socket

/** The JDK's [streams](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/io/package-summary.html): they block. */
internal object StreamApi {
    private const val HOW = "FileInputStream, FileOutputStream and those of a java.net.Socket, through an array of 64 KiB"
    val entry = IoApiEntry(IoApiInfo("stream", "Streams", "jdk:java.base", HOW, EVERYWHERE), ::open)

    private fun open(task: MoveTask): Mover = when (task.operation) {
        Operation.FileRead -> mover { tally -> task.reading().use { file -> tally.drain { file.read(it) } } }
        Operation.FileWrite -> mover { FileOutputStream(task.path.toFile()).use { task.write(it) } }
        Operation.Pipeline -> mover(StreamSocket(task)) { receiptAfter { to -> task.reading().use { it.copyTo(to, Content.BLOCK) } } }
        else -> mover(StreamSocket(task)) { receiptAfter { task.write(it) } }
    }

    private fun MoveTask.reading() = FileInputStream(path.toFile())

    private fun MoveTask.write(stream: OutputStream) = inPieces { stream.write(content, 0, it) }
}

private class StreamSocket(task: MoveTask) : AutoCloseable {
    private val socket = Socket(task.address.address, task.address.port)
    private val output = socket.getOutputStream()
    private val input = socket.getInputStream()

    inline fun receiptAfter(write: (OutputStream) -> Unit): Moved {
        write(output)
        val receipt = input.readNBytes(Receipt.SIZE)
        if (receipt.size < Receipt.SIZE) throw cutOff()
        return Moved(Receipt.of(receipt))
    }

    override fun close() = socket.close()
}
