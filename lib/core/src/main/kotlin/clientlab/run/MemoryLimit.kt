package clientlab.run

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.isWritable
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * A limit on the memory of one process: `memory.max` of a group of its own in cgroup v2 (Linux kernel, *Control Group v2*).
 *
 * Only where this process may make groups; [of] says why not where it may not. A group that is already limited is left as it is.
 */
internal class MemoryLimit private constructor(private val group: Path) : AutoCloseable {
    /** Puts the process [pid] under the limit. */
    fun add(pid: Long) = group.resolve("cgroup.procs").writeText("$pid\n")

    /** How often the kernel has ended a process of the group for want of memory. */
    fun kills(): Int =
        group
            .resolve("memory.events")
            .takeIf { it.exists() }
            ?.readLines()
            ?.firstOrNull { it.startsWith("oom_kill ") }
            ?.substringAfter(' ')
            ?.toIntOrNull() ?: 0

    /** A group can be removed when its last process has been reaped, which may take a moment. */
    override fun close() {
        repeat(ATTEMPTS) {
            if (runCatching { group.deleteIfExists() }.isSuccess) return
            Thread.sleep(BETWEEN_MS)
        }
    }

    companion object {
        private val ROOT = Path.of("/sys/fs/cgroup")
        private const val ATTEMPTS = 20
        private const val BETWEEN_MS = 10L

        /** A group limited to [bytes], or the sentence that says why there can be none here. */
        fun of(bytes: Long): Result<MemoryLimit> {
            val controllers = ROOT.resolve("cgroup.controllers")
            if (!controllers.exists()) return no("this system has no cgroup v2")
            if ("memory" !in controllers.readText().split(' ', '\n')) return no("cgroup v2 has no memory controller here")
            val own = Path
                .of("/proc/self/cgroup")
                .readLines()
                .firstOrNull { it.startsWith("0::") }
                ?.substringAfter("0::/")
            val parent = own?.let { ROOT.resolve(it) } ?: return no("this process is in no group of cgroup v2")
            if (!parent.isWritable()) return no("this process may make no group of cgroup v2")
            val group = parent.resolve("client-lab-${ProcessHandle.current().pid()}")
            return try {
                group.createDirectory()
                group.resolve("memory.max").writeText("$bytes\n")
                group.resolve("memory.swap.max").takeIf { it.exists() }?.writeText("0\n")
                Result.success(MemoryLimit(group))
            } catch (e: IOException) {
                runCatching { Files.deleteIfExists(group) }
                no("cgroup v2 refused a group (${e.message})")
            }
        }

        private fun no(why: String): Result<MemoryLimit> = Result.failure(UnsupportedOperationException(why))
    }
}
