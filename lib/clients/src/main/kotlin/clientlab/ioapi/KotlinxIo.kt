package clientlab.ioapi

import clientlab.transfer.*
import kotlinx.io.buffered
import kotlinx.io.files.Path
import kotlinx.io.files.SystemFileSystem

/** [kotlinx-io](https://github.com/Kotlin/kotlinx-io), the multiplatform library that Ktor's channels are built on; it blocks. */
internal object KotlinxIoApi {
    private const val HOW = "buffered source and sink of SystemFileSystem, through an array of 64 KiB; its own segments are of 8 KiB"
    val entry = IoApiEntry(IoApiInfo("kotlinx-io", "kotlinx-io", "org.jetbrains.kotlinx:kotlinx-io-core-jvm", HOW, ON_FILES), ::open)

    private fun open(task: MoveTask): Mover {
        val path = Path(task.path.toString())
        return if (task.operation == Operation.FileRead) {
            mover { tally -> SystemFileSystem.source(path).buffered().use { file -> tally.drain { file.readAtMostTo(it, 0, it.size) } } }
        } else {
            mover { SystemFileSystem.sink(path).buffered().use { file -> task.inPieces { file.write(task.content, 0, it) } } }
        }
    }
}
