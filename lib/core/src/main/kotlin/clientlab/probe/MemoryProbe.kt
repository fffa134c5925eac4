package clientlab.probe

import java.lang.management.ManagementFactory
import javax.management.ObjectName
import kotlin.math.abs

/**
 * A reading of this process's memory in bytes; a value is null if the system does not give it, [native] if it was not asked for.
 *
 * @property uncollectedBytes heap in use without a collection; [heapBytes] is that after [collections] full collections.
 * @property nonHeapBytes the JVM's own pools: classes and compiled code.
 * @property rssBytes resident set; [pssBytes] counts shared pages in part.
 */
internal data class MemoryReading(
    val uncollectedBytes: Long,
    val heapBytes: Long,
    val collections: Int,
    val nonHeapBytes: Long,
    val classes: Int,
    val allocatedBytes: Long,
    val rssBytes: Long?,
    val pssBytes: Long?,
    val reservedBytes: Long?,
    val osThreads: Int?,
    val native: NativeMemory?,
)

/** Reads [MemoryReading]; on Linux the system's part comes from `/proc/self/smaps_rollup`, which is exact where `status` is not. */
internal object MemoryProbe {
    private val memory = ManagementFactory.getMemoryMXBean()
    private val loading = ManagementFactory.getClassLoadingMXBean()
    private val threads = ManagementFactory.getThreadMXBean() as com.sun.management.ThreadMXBean

    /** The values now. The first reading loads classes itself, so use a later one as a baseline. [native] needs native memory tracking. */
    fun read(native: Boolean = false): MemoryReading {
        // A collection could change these, so they are read before it.
        val uncollected = memory.heapMemoryUsage.used
        val allocated = threads.totalThreadAllocatedBytes
        val nonHeap = memory.nonHeapMemoryUsage.used
        val classes = loading.loadedClassCount
        val pages = SystemFiles.here.lines("proc/self/smaps_rollup")
        val status = SystemFiles.here.lines("proc/self/status")
        val tracked = if (native) NativeMemory.read() else null
        val (heap, collections) = settledHeap()
        return MemoryReading(
            uncollectedBytes = uncollected,
            heapBytes = heap,
            collections = collections,
            nonHeapBytes = nonHeap,
            classes = classes,
            allocatedBytes = allocated,
            rssBytes = pages.bytes("Rss") ?: status.bytes("VmRSS"),
            pssBytes = pages.bytes("Pss"),
            reservedBytes = status.bytes("VmSize"),
            osThreads = status.number("Threads")?.toInt(),
            native = tracked,
        )
    }

    /** Collects until two successive readings hardly differ, because weakly held objects need a further collection. */
    private fun settledHeap(): Pair<Long, Int> {
        var last = Long.MAX_VALUE / 2
        repeat(MOST_COLLECTIONS) { before ->
            System.gc()
            val used = memory.heapMemoryUsage.used
            if (abs(used - last) <= SETTLED) return minOf(used, last) to before + 1
            last = used
        }
        return last to MOST_COLLECTIONS
    }

    private const val SETTLED = 1024
    private const val MOST_COLLECTIONS = 8
}

/**
 * What the JVM's native memory tracking says, in bytes by category (`Thread`, `Java Heap`, …), with `Total`, and with `Stack` for the
 * stacks of threads, which are part of `Thread`.
 */
internal data class NativeMemory(val committed: Map<String, Long>, val stackReserved: Long) {
    companion object {
        private val diagnostics = ObjectName("com.sun.management:type=DiagnosticCommand")

        /** Reads it from this JVM. It needs `-XX:NativeMemoryTracking=summary`, and fails with a sentence without that option. */
        fun read(): NativeMemory {
            val server = ManagementFactory.getPlatformMBeanServer()
            val arguments = arrayOf<Any>(arrayOf("summary", "scale=KB"))
            return parse(server.invoke(diagnostics, "vmNativeMemory", arguments, arrayOf("[Ljava.lang.String;")) as String)
        }

        /** Reads the answer of `VM.native_memory summary scale=KB`. */
        fun parse(text: String): NativeMemory {
            val total =
                requireNotNull(TOTAL.find(text)) { "Native memory tracking is off: start the JVM with -XX:NativeMemoryTracking=summary." }
            val stack = STACK.find(text)
            val categories = CATEGORY.findAll(text).associate { it.groupValues[1] to it.kib(2) }
            return NativeMemory(
                committed = categories + ("Total" to total.kib(1)) + ("Stack" to (stack?.kib(2) ?: 0)),
                stackReserved = stack?.kib(1) ?: 0,
            )
        }

        private fun MatchResult.kib(group: Int): Long = groupValues[group].toLong() * KIB

        private val TOTAL = Regex("""Total: reserved=\d+KB, committed=(\d+)KB""")
        private val CATEGORY = Regex("""-\s+(\S.*?) \(reserved=\d+KB, committed=(\d+)KB""")
        private val STACK = Regex("""\(stack: reserved=(\d+)KB, committed=(\d+)KB""")
        private const val KIB = 1024
    }
}
