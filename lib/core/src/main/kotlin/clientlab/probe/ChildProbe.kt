package clientlab.probe

/**
 * A reading of another process from the operating system; a value is null if the system does not give it.
 *
 * @property anonBytes the part of the resident set that no file backs, which only swapping can free.
 * @property reservedBytes address space, with or without memory behind it.
 * @property cpuSeconds processor time, user and system, with the resolution of the system's clock tick.
 */
internal data class ChildReading(
    val osThreads: Int?,
    val rssBytes: Long?,
    val anonBytes: Long?,
    val reservedBytes: Long?,
    val cpuSeconds: Double?,
)

/** Reads [ChildReading] of one process; on Linux from `/proc/<pid>/status`, elsewhere the processor time alone. */
internal class ChildProbe(private val process: ProcessHandle) {
    /** Processor time so far, also just after the process has ended; null if the system does not give it. */
    val cpuSeconds: Double? get() = process
        .info()
        .totalCpuDuration()
        .map { it.toNanos() / 1e9 }
        .orElse(null)

    /** The values now, or null if the process has ended. */
    fun read(): ChildReading? {
        if (!process.isAlive) return null
        val status = SystemFiles.here.lines("proc/${process.pid()}/status")
        return ChildReading(
            osThreads = status.number("Threads")?.toInt(),
            rssBytes = status.bytes("VmRSS"),
            anonBytes = status.bytes("RssAnon"),
            reservedBytes = status.bytes("VmSize"),
            cpuSeconds = cpuSeconds,
        )
    }
}
