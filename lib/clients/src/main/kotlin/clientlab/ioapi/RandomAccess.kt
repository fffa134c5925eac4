package clientlab.ioapi

import clientlab.transfer.*
import java.io.RandomAccessFile

/** [RandomAccessFile](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/io/RandomAccessFile.html), from its first byte. */
internal object RandomAccessApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "random-access",
                "RandomAccessFile",
                "jdk:java.base",
                "read and write of a RandomAccessFile, through an array of 64 KiB",
                listOf(Operation.FileRead, Operation.FileWrite),
            ),
        ) { task ->
            mover { tally ->
                if (task.operation == Operation.FileRead) {
                    RandomAccessFile(task.path.toFile(), "r").use { file ->
                        val chunk = ByteArray(Content.BLOCK)
                        while (true) {
                            val length = file.read(chunk)
                            if (length < 0) break
                            tally.add(chunk, length)
                        }
                    }
                } else {
                    RandomAccessFile(task.path.toFile(), "rw").use { file ->
                        // Only if there is something to cut: ext4 writes a file that was cut to the disk when it is closed, also a new one.
                        if (file.length() > 0) file.setLength(0)
                        task.inPieces { file.write(task.content, 0, it) }
                    }
                }
                Moved.Done
            }
        }
}
