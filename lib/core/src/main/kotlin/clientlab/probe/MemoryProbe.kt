package clientlab.probe

import java.lang.management.ManagementFactory
import java.nio.file.Path
import javax.management.ObjectName
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.math.abs

/**
 * A reading of this process's memory in bytes; a value is null if the system does not give it.
 *
 * @property uncollectedBytes heap in use without a collection; [heapBytes] heap in use after [collections] full collections.
 * @property nonHeapBytes the JVM's own pools: classes and compiled code.
 * @property rssBytes resident set; [pssBytes] the same with shared pages counted in part; both are read before the collections.
 * @property reservedBytes the address space.
 * @property native committed memory by the categories of native memory tracking; empty if it is off.
 */
public data class MemoryReading(
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
public object MemoryProbe {
    private val rollup = Path.of("/proc/self/smaps_rollup")
    private val status = Path.of("/proc/self/status")
    private val memory = ManagementFactory.getMemoryMXBean()
    private val loading = ManagementFactory.getClassLoadingMXBean()
    private val threads = ManagementFactory.getThreadMXBean() as com.sun.management.ThreadMXBean

    /**
     * The values now. Values that a collection could change are read before it.
     *
     * The first reading loads classes itself, so use the second one or a later one as a baseline.
     *
     * @param native whether native memory tracking is on and must be read.
     */
    public fun read(native: Boolean = false): MemoryReading {
        val uncollected = memory.heapMemoryUsage.used
        val allocated = threads.totalThreadAllocatedBytes
        val nonHeap = memory.nonHeapMemoryUsage.used
        val classes = loading.loadedClassCount
        val pages = numbers(rollup)
        val process = numbers(status)
        val tracked = if (native) NativeMemory.read() else null
        val (heap, collections) = settledHeap()
        return MemoryReading(
            uncollectedBytes = uncollected,
            heapBytes = heap,
            collections = collections,
            nonHeapBytes = nonHeap,
            classes = classes,
            allocatedBytes = allocated,
            rssBytes = pages["Rss"]?.times(KIB) ?: process["VmRSS"]?.times(KIB),
            pssBytes = pages["Pss"]?.times(KIB),
            reservedBytes = process["VmSize"]?.times(KIB),
            osThreads = process["Threads"]?.toInt(),
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

    private fun numbers(file: Path): Map<String, Long> =
        if (!file.exists()) {
            emptyMap()
        } else {
            file
                .readLines()
                .mapNotNull { line ->
                    val number = line
                        .substringAfter(':', "")
                        .trim()
                        .substringBefore(' ')
                        .toLongOrNull()
                    number?.let { line.substringBefore(':') to it }
                }.toMap()
        }

    private const val KIB = 1024
    private const val SETTLED = 1024
    private const val MOST_COLLECTIONS = 8
}

/**
 * What the JVM's native memory tracking says, in bytes by category (`Thread`, `Java Heap`, …).
 *
 * @property committed by category, with `Total`, and with `Stack` for the stacks of threads, which are part of `Thread`.
 * @property stackReserved what is reserved for those stacks.
 */
public data class NativeMemory(val committed: Map<String, Long>, val stackReserved: Long) {
    public companion object {
        private val diagnostics = ObjectName("com.sun.management:type=DiagnosticCommand")

        /** Reads it from this JVM. It needs `-XX:NativeMemoryTracking=summary`, and fails with a sentence without that option. */
        public fun read(): NativeMemory {
            val server = ManagementFactory.getPlatformMBeanServer()
            val arguments = arrayOf<Any>(arrayOf("summary", "scale=KB"))
            return parse(server.invoke(diagnostics, "vmNativeMemory", arguments, arrayOf("[Ljava.lang.String;")) as String)
        }

        /** Reads the answer of `VM.native_memory summary scale=KB`. */
        internal fun parse(text: String): NativeMemory {
            val total =
                requireNotNull(TOTAL.find(text)) { "Native memory tracking is off: start the JVM with -XX:NativeMemoryTracking=summary." }
            val categories = CATEGORY.findAll(text).associate { it.groupValues[1] to it.groupValues[2].toLong() * KIB }
            val stack = STACK.find(text)
            return NativeMemory(
                committed =
                    categories + ("Total" to total.groupValues[1].toLong() * KIB) +
                        ("Stack" to (stack?.groupValues?.get(2)?.toLong() ?: 0) * KIB),
                stackReserved = (stack?.groupValues?.get(1)?.toLong() ?: 0) * KIB,
            )
        }

        private val TOTAL = Regex("""Total: reserved=\d+KB, committed=(\d+)KB""")
        private val CATEGORY = Regex("""-\s+(\S.*?) \(reserved=\d+KB, committed=(\d+)KB""")
        private val STACK = Regex("""\(stack: reserved=(\d+)KB, committed=(\d+)KB""")
        private const val KIB = 1024
    }
}
