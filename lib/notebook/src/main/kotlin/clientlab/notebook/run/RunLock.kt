package clientlab.notebook.run

import clientlab.*
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.FileLock
import java.nio.channels.OverlappingFileLockException
import java.nio.file.AccessDeniedException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.absolute
import kotlin.io.path.deleteIfExists
import kotlin.io.path.getOwner
import kotlin.io.path.readLines

/** Another run is in progress on this machine, perhaps that of another [user], and concurrent runs disturb each other. */
public class RunGoingOn internal constructor(holder: String, user: String? = null) :
    LabException(
        if (user == null) {
            "A run is going on already ($holder). Concurrent runs disturb each other: wait for it, or stop it."
        } else {
            "Another user's run is going on already ($user: $holder). Concurrent runs disturb each other: wait for it, or ask $user to stop it."
        },
    )

/**
 * One run at a time on a machine, for all of its users: two that measure at once measure each other. The system gives the lock back when
 * its holder dies. The file says who holds it; the file of another user stays, and says nothing until the next run.
 */
internal class RunLock private constructor(
    private val file: Path,
    private val access: FileChannel,
    private val lock: FileLock,
    private val holder: String,
) : AutoCloseable {
    /** Removes the file if the kernel is told to end during a run. */
    private val hook = Thread { remove(file) }

    init {
        Runtime.getRuntime().addShutdownHook(hook)
    }

    /** Writes into the file that the lock is held for [run], so that others know that this run is in progress. */
    fun names(run: String) {
        val text = "$holder, run $run"
        HELD[file] = text
        write(access, text)
    }

    override fun close() {
        runCatching { Runtime.getRuntime().removeShutdownHook(hook) }
        remove(file)
        lock.release()
        access.close()
        HELD.remove(file)
    }

    companion object {
        /** Takes the lock for [experiment]. Fails with one sentence that says who holds it. */
        fun take(experiment: String, file: Path = usual()): RunLock {
            val me = "$experiment, process ${ProcessHandle.current().pid()}, since ${Instant.now().toString().substringBefore('.')}Z"
            val place = file.absolute()
            // Checked before the file is opened: closing it a second time in this process would release the first lock.
            HELD.putIfAbsent(place, me)?.let { throw RunGoingOn(it) }
            try {
                return open(place, me)
            } catch (e: Throwable) {
                HELD.remove(place)
                throw e
            }
        }

        /** Takes the lock as soon as no other run holds it. It calls [told] once with the holder. */
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
            val access = try {
                SharedFile.open(file)
            } catch (e: AccessDeniedException) {
                throw notMine(file, e)
            }
            val lock = try {
                access.tryLock(LOCKED_BYTE, 1, false)
            } catch (_: OverlappingFileLockException) {
                null
            }
            if (lock == null) {
                access.close()
                throw goingOn(file)
            }
            write(access, me)
            return RunLock(file, access, lock, me)
        }

        /** The refusal of a run because another process holds the lock, in the words of its file. */
        private fun goingOn(file: Path): RunGoingOn = words(file).let { (holder, user) -> RunGoingOn(holder, user.takeIf { it != USER }) }

        /** Why a file that this user may not write cannot be locked: somebody holds it, or it was left behind. */
        private fun notMine(file: Path, denied: AccessDeniedException): LabException {
            val locked = runCatching { SharedFile.isLocked(file, LOCKED_BYTE) }.getOrDefault(false)
            if (locked) return goingOn(file)
            val owner = runCatching { file.getOwner()?.name }.getOrNull() ?: "another user"
            return LabException(
                "The file $file keeps two runs from disturbing each other, and it belongs to $owner and cannot be written: " +
                    "ask $owner or an administrator to delete it, then run again.",
                denied,
            )
        }

        private fun write(access: FileChannel, text: String) {
            try {
                access.truncate(0)
                access.write(ByteBuffer.wrap("$text\n$USER\n".toByteArray()), 0)
            } catch (_: IOException) {
                // The disk is full. The lock is held all the same; only the holder's name is missing.
            }
        }

        /** In `/tmp` only its owner may remove a file, and a killed run of another user may have made this one. */
        private fun remove(file: Path) {
            runCatching { file.deleteIfExists() }
        }

        /** What the file says: the run that holds it, and its user. */
        private fun words(file: Path): Pair<String, String> {
            val lines = runCatching { file.readLines() }.getOrDefault(emptyList())
            return lines.firstOrNull().orEmpty().ifEmpty { "another run" } to (lines.getOrNull(1) ?: USER)
        }

        /** The holder of the lock as its file says, or null if nobody holds it. */
        fun holder(file: Path = usual()): String? {
            val place = file.absolute()
            // As in `take`: a file that this process holds is not opened again.
            HELD.putIfAbsent(place, "a look at who holds it")?.let { return it }
            try {
                return if (isHeld(place)) words(place).first else null
            } finally {
                HELD.remove(place)
            }
        }

        private fun isHeld(file: Path): Boolean = try {
            SharedFile.existing(file).use { it.tryLock(LOCKED_BYTE, 1, false) == null }
        } catch (_: NoSuchFileException) {
            false
        } catch (_: AccessDeniedException) {
            SharedFile.isLocked(file, LOCKED_BYTE)
        }

        private fun usual(): Path = Path.of(System.getProperty("java.io.tmpdir"), "client-lab-run.lock")

        private val USER: String = System.getProperty("user.name").orEmpty()
        private const val WAIT_MS = 250L

        /** The locks that this process holds, by file, with the holder's description. */
        private val HELD = ConcurrentHashMap<Path, String>()

        /** The locked byte is far behind the text, because on some systems a lock also prevents reading. */
        private const val LOCKED_BYTE = 1L shl 30
    }
}
