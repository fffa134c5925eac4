package clientlab.probe

import com.sun.management.OperatingSystemMXBean
import java.lang.management.ManagementFactory

/**
 * A reading of this process from the operating system and the JVM; a value is null if the system does not give it.
 *
 * @property osThreads threads as the operating system counts them, those of compiler and collector included.
 * @property cpuSeconds user and system time, with the resolution of the system's clock tick (10 ms on Linux).
 * @property allocatedBytes bytes allocated by all Java threads since the JVM was started.
 * @property pageFaults minor and major page faults since the process was started.
 */
public data class ProcessReading(
    val osThreads: Int?,
    val rssBytes: Long?,
    val rssPeakBytes: Long?,
    val cpuSeconds: Double,
    val allocatedBytes: Long,
    val pageFaults: Long? = null,
)

/** The processor time and allocations of one thread since its start. */
public data class ThreadCost(val cpuSeconds: Double, val allocatedBytes: Long)

/** Reads [ProcessReading]; on Linux resident set and threads come from `/proc/self/status`. */
internal object ProcessProbe {
    private val system = ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean
    private val threads = ManagementFactory.getThreadMXBean() as com.sun.management.ThreadMXBean

    /** The values now; costs about 0.2 ms. */
    fun read(): ProcessReading {
        val status = SystemFiles.here.lines("proc/self/status")
        return ProcessReading(
            osThreads = status.number("Threads")?.toInt(),
            rssBytes = status.bytes("VmRSS"),
            rssPeakBytes = status.bytes("VmHWM"),
            cpuSeconds = system.processCpuTime / 1e9,
            allocatedBytes = threads.totalThreadAllocatedBytes,
            pageFaults = pageFaults(),
        )
    }

    /** The tenth and the twelfth field. The second field, the process's name, may contain blanks and ends with the last bracket. */
    private fun pageFaults(): Long? {
        val stat = SystemFiles.here.text("proc/self/stat") ?: return null
        val fields = stat.substringAfterLast(") ").split(' ').map { it.toLongOrNull() }
        return fields.getOrNull(MINOR)?.plus(fields.getOrNull(MAJOR) ?: 0)
    }

    fun currentThread(): ThreadCost = cost(Thread.currentThread())

    /** The cost of [thread] so far, which has not ended. */
    fun cost(thread: Thread): ThreadCost = ThreadCost(
        cpuSeconds = threads.getThreadCpuTime(thread.threadId()).coerceAtLeast(0) / 1e9,
        allocatedBytes = threads.getThreadAllocatedBytes(thread.threadId()).coerceAtLeast(0),
    )

    /** Counted from the third field, the first one after the name. */
    private const val MINOR = 7
    private const val MAJOR = 9
}

/**
 * A reading of another process from the operating system; a value is null if the system does not give it.
 *
 * @property anonBytes the part of the resident set that no file backs, which only swapping can free.
 * @property reservedBytes address space, with or without memory behind it.
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
    val cpuSeconds: Double? get() = process.info().totalCpuDuration().run { if (isPresent) get().toNanos() / 1e9 else null }

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
