package clientlab.trial

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
 * Limits on one process and its children: `memory.max` and `pids.max` of a group of its own (Linux kernel, *Control Group v2*), or the same
 * of the older version, whose memory limit is called `memory.limit_in_bytes`.
 *
 * It works where this process may make groups; else [of] says why not. It leaves a group that is already limited as it is.
 */
internal class ProcessLimits private constructor(private val groups: List<Path>) : AutoCloseable {
    /** Puts the process [pid] under the limits. */
    fun add(pid: Long): Unit = groups.forEach { it.resolve(PROCESSES).writeText("$pid\n") }

    /** How often the kernel has ended a process of the group because of its memory. */
    fun kills(): Int = count("memory.events", "oom_kill") ?: count("memory.oom_control", "oom_kill") ?: 0

    private fun count(file: String, name: String): Int? =
        groups
            .map { it.resolve(file) }
            .firstOrNull { it.exists() }
            ?.readLines()
            ?.firstOrNull { it.startsWith("$name ") }
            ?.substringAfter(' ')
            ?.toIntOrNull()

    /** The kernel lets a group be removed after its last process has been reaped, which may take a moment. */
    override fun close(): Unit =
        groups.forEach { group ->
            for (attempt in 1..ATTEMPTS) {
                if (runCatching { group.deleteIfExists() }.isSuccess) break
                Thread.sleep(BETWEEN_MS)
            }
        }

    /** The place of groups, and the names of the limits there. */
    private class Place(val parent: Path, val limits: Map<String, String>)

    companion object {
        private val ROOT = Path.of("/sys/fs/cgroup")
        private const val PROCESSES = "cgroup.procs"
        private const val ATTEMPTS = 20
        private const val BETWEEN_MS = 10L

        /**
         * A group limited to [bytes] of memory and, where [threads] is given, to so many threads; or the reason why it cannot be made here.
         */
        fun of(bytes: Long, threads: Int? = null): Result<ProcessLimits> {
            val places = places(bytes, threads).getOrElse { return Result.failure(it) }
            val made = ArrayList<Path>()
            return try {
                for (place in places) {
                    if (!place.parent.isWritable()) return no("this process may make no group below ${place.parent}", made)
                    val group = place.parent.resolve("client-lab-${ProcessHandle.current().pid()}").createDirectory()
                    made.add(group)
                    place.limits.forEach { (file, value) -> group.resolve(file).takeIf { it.exists() }?.writeText("$value\n") }
                }
                Result.success(ProcessLimits(made))
            } catch (e: IOException) {
                no("cgroup refused a group (${e.message})", made)
            }
        }

        private fun places(bytes: Long, threads: Int?): Result<List<Place>> {
            val own = Path
                .of("/proc/self/cgroup")
                .takeIf { it.exists() }
                ?.readLines()
                .orEmpty()
            val swap = mapOf("memory.swap.max" to "0")
            val pids = threads?.let { mapOf("pids.max" to "$it") }.orEmpty()
            val controllers = ROOT.resolve("cgroup.controllers")
            if (controllers.exists()) {
                val there = controllers.readText().split(' ', '\n')
                val missing = (listOf("memory") + listOfNotNull("pids".takeIf { threads != null })).firstOrNull { it !in there }
                if (missing != null) return no("cgroup v2 has no $missing controller here")
                val mine =
                    own.firstOrNull { it.startsWith("0::") }?.substringAfter("0::/")
                        ?: return no("this process is in no group of cgroup v2")
                return Result.success(listOf(Place(ROOT.resolve(mine), mapOf("memory.max" to "$bytes") + swap + pids)))
            }
            if (!ROOT.resolve("memory").exists()) return no("this system has no cgroup")

            fun at(controller: String, limits: Map<String, String>): Place {
                val mine = own.firstOrNull {
                    it
                        .split(':')
                        .getOrNull(1)
                        ?.split(',')
                        ?.contains(controller) == true
                }
                return Place(ROOT.resolve(controller).resolve(mine?.substringAfterLast(':')?.trim('/').orEmpty()), limits)
            }
            val memory = at("memory", mapOf("memory.limit_in_bytes" to "$bytes"))
            return Result.success(listOf(memory) + if (threads == null) emptyList() else listOf(at("pids", pids)))
        }

        private fun <T> no(why: String, made: List<Path> = emptyList()): Result<T> {
            made.forEach { group -> runCatching { Files.deleteIfExists(group) } }
            return Result.failure(UnsupportedOperationException(why))
        }
    }
}
