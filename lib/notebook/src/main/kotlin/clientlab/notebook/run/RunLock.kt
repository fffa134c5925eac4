package clientlab.notebook.run

import java.io.IOException
import java.io.RandomAccessFile
import java.nio.channels.FileLock
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
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
    private val holder: String,
) : AutoCloseable {
    /** A kernel that is told to end in mid-run takes its file with it. */
    private val hook = Thread { file.deleteIfExists() }

    init {
        Runtime.getRuntime().addShutdownHook(hook)
    }

    /** Says in the file that it is held for the run [run], which is then known to be going on. */
    fun names(run: String) {
        val text = "$holder, run $run"
        HELD[file.toAbsolutePath()] = text
        write(access, text)
    }

    override fun close() {
        runCatching { Runtime.getRuntime().removeShutdownHook(hook) }
        file.deleteIfExists()
        lock.release()
        access.close()
        HELD.remove(file.toAbsolutePath())
    }

    companion object {
        /** Takes the lock for [experiment], or says in one sentence who has it. */
        fun take(experiment: String, file: Path = usual()): RunLock {
            val me = "$experiment, process ${ProcessHandle.current().pid()}, since ${Instant.now().toString().substringBefore('.')}Z"
            // Asked before the file is opened: to close it a second time in one process would give away the lock of the first.
            HELD.putIfAbsent(file.toAbsolutePath(), me)?.let { throw RunGoingOn(it) }
            return try {
                open(file, me)
            } catch (e: Throwable) {
                HELD.remove(file.toAbsolutePath())
                throw e
            }
        }

        /** The same, but waits while somebody else has it; [told] is told who, once. */
        fun await(experiment: String, file: Path = usual(), told: (RunGoingOn) -> Unit): RunLock {
            var first = true
            while (true) {
                try {
                    return take(experiment, file)
                } catch (busy: RunGoingOn) {
                    if (first) told(busy)
                    first = false
                    Thread.sleep(WAIT_MS)
                }
            }
        }

        private fun open(file: Path, me: String): RunLock {
            val access = RandomAccessFile(file.toFile(), "rw")
            val lock =
                try {
                    access.channel.tryLock(LOCKED_BYTE, 1, false)
                } catch (_: OverlappingFileLockException) {
                    null
                }
            if (lock == null) {
                access.close()
                throw RunGoingOn(runCatching { file.readText().trim() }.getOrDefault("").ifEmpty { "another run" })
            }
            write(access, me)
            return RunLock(file, access, lock, me)
        }

        private fun write(access: RandomAccessFile, text: String) {
            try {
                access.setLength(0)
                access.seek(0)
                access.write("$text\n".toByteArray())
            } catch (_: IOException) {
                // The disk is full: the lock holds all the same, and only its holder's name is missing.
            }
        }

        /** Who holds the lock now, in the words of its file, or null where nobody does. */
        fun holder(file: Path = usual()): String? {
            if (!file.exists()) return null
            // As in taking it: a file that this process holds is not opened again.
            HELD.putIfAbsent(file.toAbsolutePath(), "a look at who holds it")?.let { return it }
            return try {
                RandomAccessFile(file.toFile(), "rw").use { access ->
                    if (access.channel.tryLock(LOCKED_BYTE, 1, false) == null) file.readText().trim().ifEmpty { "another run" } else null
                }
            } finally {
                HELD.remove(file.toAbsolutePath())
            }
        }

        private fun usual(): Path = Path.of(System.getProperty("java.io.tmpdir"), "client-lab-run.lock")

        private const val WAIT_MS = 250L

        /** The locks that this process holds, by file, and what each says of its holder. */
        private val HELD = ConcurrentHashMap<Path, String>()

        /** Far behind the text, so that others can read who holds it where a lock keeps readers away. */
        private const val LOCKED_BYTE = 1L shl 30
    }
}
