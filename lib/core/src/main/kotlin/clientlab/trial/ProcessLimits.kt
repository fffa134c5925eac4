package clientlab.trial

import clientlab.probe.*
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.isWritable
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * Limits on one process and its children by a group of its own (Linux kernel, *Control Group v2*, or the older version). It works where
 * this process may make groups; else [of] says why not.
 */
internal class ProcessLimits private constructor(private val groups: List<Path>) : AutoCloseable {
    fun add(pid: Long): Unit = groups.forEach { it.resolve("cgroup.procs").writeText("$pid\n") }

    /** How often the kernel has ended a process of the group because of its memory. */
    fun kills(): Int =
        listOf("memory.events", "memory.oom_control")
            .flatMap { file -> groups.mapNotNull { SystemFiles.here.lines("$it/$file").number("oom_kill") } }
            .firstOrNull()
            ?.toInt() ?: 0

    /** The kernel lets a group be removed after its last process has been reaped, which may take a moment. */
    override fun close(): Unit =
        groups.forEach { group ->
            for (attempt in 1..ATTEMPTS) {
                if (runCatching { group.deleteIfExists() }.isSuccess) break
                Thread.sleep(BETWEEN_MS)
            }
        }

    companion object {
        private val ROOT = Path.of("/sys/fs/cgroup")
        private const val ATTEMPTS = 20
        private const val BETWEEN_MS = 10L

        /** A group limited to [bytes] of memory and, where given, to so many [threads]; or the reason why it cannot be made here. */
        fun of(bytes: Long, threads: Int? = null): Result<ProcessLimits> {
            val made = ArrayList<Path>()
            return runCatching {
                for ((parent, limits) in places(bytes, threads)) {
                    if (!parent.isWritable()) no("this process may make no group below $parent")
                    val group = parent.resolve("client-lab-${ProcessHandle.current().pid()}").createDirectory()
                    made.add(group)
                    limits.forEach { (file, value) -> group.resolve(file).takeIf { it.exists() }?.writeText("$value\n") }
                }
                ProcessLimits(made)
            }.recoverCatching { why ->
                made.forEach { group -> runCatching { group.deleteIfExists() } }
                if (why is IOException) no("cgroup refused a group (${why.message})") else throw why
            }
        }

        /** The folders in which to make a group, each with the limits that are set there. */
        private fun places(bytes: Long, threads: Int?): Map<Path, Map<String, String>> {
            // Lines as `1:cpu,cpuacct:/a/b`; a group of version 2 has no controllers.
            val own = SystemFiles.here.lines("proc/self/cgroup").map { it.split(':', limit = 3) }
            val pids = threads?.let { mapOf("pids.max" to "$it") }.orEmpty()
            val controllers = ROOT.resolve("cgroup.controllers")
            if (controllers.exists()) {
                val there = controllers.readText().split(' ', '\n')
                val missing = listOfNotNull("memory", "pids".takeIf { threads != null }).firstOrNull { it !in there }
                if (missing != null) no("cgroup v2 has no $missing controller here")
                val mine = own.firstOrNull { it.first() == "0" }?.last() ?: no("this process is in no group of cgroup v2")
                return mapOf(ROOT.resolve(mine.removePrefix("/")) to mapOf("memory.max" to "$bytes", "memory.swap.max" to "0") + pids)
            }
            if (!ROOT.resolve("memory").exists()) no("this system has no cgroup")

            fun groupOf(controller: String): Path {
                val mine = own.firstOrNull { controller in it.getOrElse(1) { "" }.split(',') }
                return ROOT.resolve(controller).resolve(mine?.last()?.trim('/').orEmpty())
            }
            val memory = mapOf(groupOf("memory") to mapOf("memory.limit_in_bytes" to "$bytes"))
            return if (threads == null) memory else memory + (groupOf("pids") to pids)
        }

        private fun no(why: String): Nothing = throw UnsupportedOperationException(why)
    }
}

/** The options of a JVM with limited memory, as in a container. */
internal object ContainerJvm {
    /** The heap may have half of the memory, and buffers an eighth. Stacks have the rest, because a trial asks about stacks. */
    fun options(memoryMiB: Long): List<String> = listOf(
        // Java's own choice with fewer than two processors or 1,792 MB.
        "-XX:+UseSerialGC",
        "-Xmx${memoryMiB / 2}m",
        "-XX:MaxDirectMemorySize=${memoryMiB / 8}m",
        "-XX:ReservedCodeCacheSize=${(memoryMiB / 4).coerceAtMost(64)}m",
        // The system's default, set explicitly: it is the megabyte of source 000.
        "-Xss1m",
        "-XX:-UsePerfData",
        "-Djava.awt.headless=true",
        "-Dfile.encoding=UTF-8",
        "-Dkotlinx.coroutines.debug=off",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
    ).filter { Runtime.version().feature() >= UNSAFE_OPTION || !it.startsWith("--sun-misc") }

    private const val UNSAFE_OPTION = 23
}
