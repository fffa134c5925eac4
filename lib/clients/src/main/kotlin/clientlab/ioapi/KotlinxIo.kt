package clientlab.ioapi

import clientlab.transfer.*
import kotlinx.io.buffered
import kotlinx.io.files.Path
import kotlinx.io.files.SystemFileSystem

/** [kotlinx-io](https://github.com/Kotlin/kotlinx-io), the multiplatform library that Ktor's channels are built on; it blocks. */
internal object KotlinxIoApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "kotlinx-io",
                "kotlinx-io",
                "org.jetbrains.kotlinx:kotlinx-io-core-jvm",
                "buffered source and sink of SystemFileSystem, through an array of 64 KiB; its own segments are of 8 KiB",
                listOf(Operation.FileRead, Operation.FileWrite),
            ),
        ) { task ->
            mover { tally ->
                val path = Path(task.path.toString())
                if (task.operation == Operation.FileRead) {
                    SystemFileSystem.source(path).buffered().use { source ->
                        val chunk = ByteArray(Content.BLOCK)
                        while (true) {
                            val length = source.readAtMostTo(chunk, 0, chunk.size)
                            if (length < 0) break
                            tally.add(chunk, length)
                        }
                    }
                } else {
                    SystemFileSystem.sink(path).buffered().use { sink -> task.inPieces { sink.write(task.content, 0, it) } }
                }
                Moved.Done
            }
        }
}
