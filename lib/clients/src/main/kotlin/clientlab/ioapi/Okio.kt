package clientlab.ioapi

import clientlab.transfer.*
import okio.buffer
import okio.sink
import okio.source

/** [Okio](https://square.github.io/okio/), the IO library below OkHttp; it blocks. */
internal object OkioApi {
    private const val HOW = "buffered source and sink of a file, through an array of 64 KiB; its own segments are of 8 KiB"
    val entry = IoApiEntry(IoApiInfo("okio", "Okio", "com.squareup.okio:okio-jvm", HOW, ON_FILES), ::open)

    private fun open(task: MoveTask): Mover {
        val path = task.path
        return if (task.operation == Operation.FileRead) {
            mover { tally -> path.source().buffer().use { source -> tally.drain { source.read(it) } } }
        } else {
            mover { path.sink().buffer().use { sink -> task.inPieces { sink.write(task.content, 0, it) } } }
        }
    }
}
