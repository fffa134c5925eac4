package clientlab.notebook.fork

import clientlab.notebook.LabException
import java.io.RandomAccessFile
import java.nio.channels.FileLock
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readText

/**
 * One run at a time on a machine: two that measure at once measure each other.
 *
 * The system gives the lock back when its holder dies, however it dies; the file says who holds it, and is removed with the lock.
 */
internal class RunLock private constructor(
    private val file: Path,
    private val access: RandomAccessFile,
    private val lock: FileLock,
) : AutoCloseable {
    override fun close() {
        file.deleteIfExists()
        lock.release()
        access.close()
    }

    companion object {
        /** Takes the lock for [experiment], or says in one sentence who has it. */
        fun take(experiment: String, file: Path = Path.of(System.getProperty("java.io.tmpdir"), "client-lab-run.lock")): RunLock {
            val access = RandomAccessFile(file.toFile(), "rw")
            val lock =
                try {
                    access.channel.tryLock(LOCKED_BYTE, 1, false)
                } catch (_: OverlappingFileLockException) {
                    null
                }
            if (lock == null) {
                access.close()
                val holder = runCatching { file.readText().trim() }.getOrDefault("").ifEmpty { "another run" }
                throw LabException("A run is going on already ($holder). One at a time measures truly: wait for it, or stop it.")
            }
            val since = Instant.now().toString().substringBefore('.')
            access.setLength(0)
            access.write("$experiment, process ${ProcessHandle.current().pid()}, since ${since}Z\n".toByteArray())
            return RunLock(file, access, lock)
        }

        /** Far behind the text, so that others can read who holds it where a lock keeps readers away. */
        private const val LOCKED_BYTE = 1L shl 30
    }
}
