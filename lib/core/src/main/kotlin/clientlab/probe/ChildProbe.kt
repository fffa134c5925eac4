package clientlab.probe

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.jvm.optionals.getOrNull

/**
 * What the operating system says of another process at one moment; null where it does not tell.
 *
 * @property osThreads threads as the operating system counts them.
 * @property rssBytes resident set; [anonBytes] the part of it that no file backs, which no pressure but swapping can take back.
 * @property reservedBytes address space, whether there is memory behind it or not.
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

    /** The values now, or null where the process has ended. */
    public fun read(): ChildReading? {
        if (!process.isAlive) return null
        // It may end between the question and the answer.
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
