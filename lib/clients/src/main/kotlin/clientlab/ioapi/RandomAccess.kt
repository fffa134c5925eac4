package clientlab.ioapi

import clientlab.transfer.*
import java.io.RandomAccessFile

/** [RandomAccessFile](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/io/RandomAccessFile.html), from its first byte. */
internal object RandomAccessApi {
    private const val HOW = "read and write of a RandomAccessFile, through an array of 64 KiB"
    val entry = IoApiEntry(IoApiInfo("random-access", "RandomAccessFile", "jdk:java.base", HOW, ON_FILES), ::open)

    private fun open(task: MoveTask): Mover =
        if (task.operation == Operation.FileRead) {
            mover { tally -> RandomAccessFile(task.path.toFile(), "r").use { file -> tally.drain { file.read(it) } } }
        } else {
            mover {
                RandomAccessFile(task.path.toFile(), "rw").use { file ->
                    // Only if there is something to cut: ext4 writes a file that was cut to the disk when it is closed, also a new one.
                    if (file.length() > 0) file.setLength(0)
                    task.inPieces { file.write(task.content, 0, it) }
                }
            }
        }
}
