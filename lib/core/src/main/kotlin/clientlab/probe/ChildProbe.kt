package clientlab.probe

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.jvm.optionals.getOrNull

/**
 * A reading of another process from the operating system; a value is null if the system does not give it.
 *
 * @property osThreads threads as the operating system counts them.
 * @property rssBytes resident set; [anonBytes] the part of it that no file backs, which only swapping can free.
 * @property reservedBytes address space, with or without memory behind it.
 * @property cpuSeconds processor time, user and system, with the resolution of the system's clock tick.
 */
public data class ChildReading(
    val osThreads: Int?,
    val rssBytes: Long?,
    val anonBytes: Long?,
    val reservedBytes: Long?,
    val cpuSeconds: Double?,
)

/** Reads [ChildReading] of one process; on Linux from `/proc/<pid>/status`, elsewhere the processor time alone. */
public class ChildProbe(private val process: ProcessHandle) {
    private val status = Path.of("/proc/${process.pid()}/status")

    /** The values now, or null if the process has ended. */
    public fun read(): ChildReading? {
        if (!process.isAlive) return null
        // The process may end while it is read.
        val lines = runCatching { if (status.exists()) status.readLines() else emptyList() }.getOrDefault(emptyList())

        fun number(name: String) = lines.firstOrNull { it.startsWith("$name:") }?.filter(Char::isDigit)?.toLongOrNull()
        return ChildReading(
            osThreads = number("Threads")?.toInt(),
            rssBytes = number("VmRSS")?.times(KIB),
            anonBytes = number("RssAnon")?.times(KIB),
            reservedBytes = number("VmSize")?.times(KIB),
            cpuSeconds =
                process
                    .info()
                    .totalCpuDuration()
                    .getOrNull()
                    ?.toNanos()
                    ?.div(1e9),
        )
    }

    private companion object {
        private const val KIB = 1024
    }
}
