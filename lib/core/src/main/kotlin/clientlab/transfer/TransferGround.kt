package clientlab.transfer

import java.io.OutputStream
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.CRC32
import java.util.zip.CheckedInputStream
import kotlin.io.path.deleteIfExists
import kotlin.io.path.fileSize
import kotlin.io.path.inputStream
import kotlin.io.path.outputStream

/**
 * The environment of a transfer: a file in a separate folder, and the receiving end of a socket. [close] removes all of it. The file has
 * just been written and is read from the page cache. The trial does not measure the disk, and source 001 did not either.
 */
internal class TransferGround(private val operation: Operation, private val bytes: Long, private val fault: Fault?) : AutoCloseable {
    private val content = Content.block()
    private val folder: Path? = if (operation in WITH_FILE) Files.createTempDirectory("client-lab-transfer") else null
    private val file: Path? = folder?.resolve("bytes")

    val sink: SinkProcess? = if (operation in WITH_SINK) SinkProcess(bytes, fault?.name?.lowercase()) else null

    val checksum: Long = Content.checksum(content, bytes)
    val task = MoveTask(operation, bytes, content, file, sink?.address)

    init {
        if (operation == Operation.FileRead || operation == Operation.Pipeline) write(checkNotNull(file))
    }

    /**
     * To be called before each transfer: a file that is to be written is written anew. An I/O API that overwrites the file would keep its
     * pages, and one that empties the file first would have to get them again.
     */
    fun prepare() {
        if (operation == Operation.FileWrite) file?.deleteIfExists()
    }

    fun fileSize(): Long = checkNotNull(file).fileSize()

    fun fileChecksum(): Long {
        val sum = CheckedInputStream(checkNotNull(file).inputStream(), CRC32())
        sum.use { it.transferTo(OutputStream.nullOutputStream()) }
        return sum.checksum.value
    }

    override fun close() {
        sink?.close()
        file?.deleteIfExists()
        folder?.deleteIfExists()
    }

    private fun write(file: Path) {
        val spoilt = operation == Operation.FileRead
        var left = if (spoilt && fault == Fault.Cut) bytes / 2 else bytes
        var flip = spoilt && fault == Fault.Flip
        file.outputStream().use { stream ->
            while (left > 0) {
                val length = minOf(left, content.size.toLong()).toInt()
                val block = if (flip) content.clone().also { it[0]++ } else content
                flip = false
                stream.write(block, 0, length)
                left -= length
            }
        }
    }
}

private val WITH_FILE = setOf(Operation.FileRead, Operation.FileWrite, Operation.Pipeline)
private val WITH_SINK = setOf(Operation.SocketWrite, Operation.Pipeline, Operation.Close, Operation.PeerClose)
