package clientlab.ioapi

import clientlab.transfer.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir
import java.io.IOException
import java.nio.file.Path
import java.util.zip.CRC32
import kotlin.io.path.fileSize
import kotlin.io.path.outputStream
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/** One contract for every means: it moves all bytes in their order, also the second and the third time. */
class IoApiTest {
    @TempDir lateinit var folder: Path
    private val all = AllIoApis().entries
    private val content = Content.block()

    /** Not a multiple of any buffer's size, so that the last piece is shorter. */
    private val bytes = 3 * (1L shl 20) + 4321
    private val checksum = Content.checksum(content, bytes)

    @Test
    fun `ids are unique`() {
        all.map { it.info.id }.shouldBeUnique()
    }

    @TestFactory
    fun `a file is read to its end each time`(): List<DynamicTest> =
        each(Operation.FileRead) { means ->
            means.open(MoveTask(Operation.FileRead, bytes, content, written())).use { mover ->
                repeat(3) {
                    val tally = Tally(checksum = true)
                    val moved = runBlocking { mover.move(tally) }
                    (moved.receipt?.bytes ?: tally.bytes) shouldBe bytes
                    if (!means.info.ownJvm) tally.value shouldBe checksum
                }
            }
        }

    @TestFactory
    fun `nothing of a longer file stays when a shorter one is written over it`(): List<DynamicTest> =
        each(Operation.FileWrite) { means ->
            val file = folder.resolve("to-write")
            file.writeBytes(ByteArray(5 shl 20))
            means.open(MoveTask(Operation.FileWrite, bytes, content, file)).use { mover ->
                repeat(2) {
                    runBlocking { mover.move(Tally()) }
                    file.fileSize() shouldBe bytes
                    crcOf(file) shouldBe checksum
                }
            }
        }

    @TestFactory
    fun `a socket carries all bytes over one connection each time`(): List<DynamicTest> =
        each(Operation.SocketWrite) { means -> sends(means, MoveTask(Operation.SocketWrite, bytes, content, sink = null)) }

    @TestFactory
    fun `a file goes through a socket`(): List<DynamicTest> =
        each(Operation.Pipeline) { means -> sends(means, MoveTask(Operation.Pipeline, bytes, content, written())) }

    @TestFactory
    fun `a connection that is cut makes the move fail`(): List<DynamicTest> =
        each(Operation.SocketWrite) { means ->
            TestSink(bytes, cutAt = bytes / 2).use { sink ->
                means.open(MoveTask(Operation.SocketWrite, bytes, content, sink = sink.address)).use { mover ->
                    // The plain loop has a JVM of its own, which ends with a failure.
                    shouldThrow<IOException> { runBlocking { mover.move(Tally()) } }
                }
            }
        }

    @TestFactory
    fun `a mover that is closed closes its connection`(): List<DynamicTest> =
        each(Operation.Close) { means ->
            TestSink(bytes).use { sink ->
                means.open(MoveTask(Operation.Close, bytes, content, sink = sink.address)).use { runBlocking { it.move(Tally()) } }
                sink.sawEnd()
            }
        }

    private fun sends(means: IoApiEntry, task: MoveTask) {
        TestSink(bytes).use { sink ->
            means.open(MoveTask(task.operation, task.bytes, task.content, task.file, sink.address)).use { mover ->
                repeat(3) { runBlocking { mover.move(Tally()) }.receipt shouldBe Receipt(bytes, checksum) }
            }
            withClue("connections") { sink.connections shouldBe 1 }
        }
    }

    private fun each(operation: Operation, check: (IoApiEntry) -> Unit): List<DynamicTest> =
        all.filter { operation in it.info.operations }.map { means -> dynamicTest("${means.info.id}: $operation") { check(means) } }

    private fun written(): Path =
        folder.resolve("to-read").also { file ->
            file.outputStream().use { stream ->
                var left = bytes
                while (left > 0) {
                    val length = minOf(left, content.size.toLong()).toInt()
                    stream.write(content, 0, length)
                    left -= length
                }
            }
        }

    private fun crcOf(file: Path): Long = CRC32().apply { update(file.readBytes()) }.value
}
