package clientlab.probe

import clientlab.testing.*
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.FileInputStream
import java.nio.file.Path
import kotlin.io.path.writeBytes

class FileThreadsTest {
    @TempDir lateinit var folder: Path

    @Test
    fun `who reads a file is seen, and told apart from who asked`() {
        val file = folder.resolve("bytes").also { it.writeBytes(ByteArray(1 shl 20)) }

        fun readOnce() = FileInputStream(file.toFile()).use { stream -> ByteArray(1 shl 20).let { while (stream.read(it) >= 0) Unit } }
        FileThreads(Thread.currentThread()).use { files ->
            // Whoever runs the tests may read its own standard input meanwhile, which is a file too.
            eventually({ "${files.all} threads" }) {
                readOnce()
                files.all - files.behind == 1
            }
            val others = files.behind
            eventually({ "${files.behind} threads" }) {
                Thread.ofPlatform().start(::readOnce).join()
                files.behind >= others + 2
            }
        }
    }

    @Test
    fun `a socket is no file, and an open is no read`() {
        fun frame(type: String, method: String) = StackTraceElement(type, method, null, -2)
        FileThreads.inFile(frame("sun.nio.ch.UnixFileDispatcherImpl", "pread0")) shouldBe true
        FileThreads.inFile(frame("sun.nio.ch.FileDispatcherImpl", "write0")) shouldBe true
        FileThreads.inFile(frame("java.io.FileInputStream", "readBytes")) shouldBe true
        FileThreads.inFile(frame("java.io.FileInputStream", "open0")) shouldBe false
        FileThreads.inFile(frame("sun.nio.ch.SocketDispatcher", "read0")) shouldBe false
    }
}
