package clientlab.ioapi

import clientlab.transfer.*
import okio.buffer
import okio.sink
import okio.source

/** [Okio](https://square.github.io/okio/), the IO library below OkHttp; it blocks. */
internal object OkioApi {
    val entry =
        IoApiEntry(
            IoApiInfo(
                "okio",
                "Okio",
                "com.squareup.okio:okio-jvm",
                "buffered source and sink of a file, through an array of 64 KiB; its own segments are of 8 KiB",
                listOf(Operation.FileRead, Operation.FileWrite),
            ),
        ) { task ->
            mover { tally ->
                if (task.operation == Operation.FileRead) {
                    task.path.source().buffer().use { source ->
                        val chunk = ByteArray(Content.BLOCK)
                        while (true) {
                            val length = source.read(chunk)
                            if (length < 0) break
                            tally.add(chunk, length)
                        }
                    }
                } else {
                    task.path
                        .sink()
                        .buffer()
                        .use { sink -> task.inPieces { sink.write(task.content, 0, it) } }
                }
                Moved.Done
            }
        }
}
