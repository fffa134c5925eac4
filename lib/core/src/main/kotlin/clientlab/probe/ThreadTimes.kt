package clientlab.probe

import java.util.Locale

/** What a thread of a JVM works for. */
public enum class ThreadKind {
    /** The client under test: its own threads, the threads that call it, and the carriers and pollers of virtual threads. */
    Client,

    /** The harness: generator and probes. */
    Harness,

    /** The just-in-time compilers. */
    Compilers,

    /** The garbage collector. */
    Collector,

    /** The rest of the JVM: its own services, cleaners and recordings. */
    Other,

    ;

    /** Its spelling in series and legends. */
    public val label: String get() = name.lowercase(Locale.ROOT)

    internal companion object {
        /** The thread of the harness that calls the client. The client's code runs on it, so it counts as the client's. */
        const val CALLERS: String = "${ThreadOwners.HARNESS_PREFIX}callers"

        private val STARTS = listOf(
            CALLERS to Client,
            ThreadOwners.HARNESS_PREFIX to Harness,
            "process reaper" to Harness,
            "C1 Compiler" to Compilers,
            "C2 Compiler" to Compilers,
            "GC Thread" to Collector,
            "G1 " to Collector,
            "Shenandoah" to Collector,
            "ZWorker" to Collector,
            "VM Thread" to Other,
            "VM Periodic" to Other,
            "Service Thread" to Other,
            "Monitor Deflati" to Other,
            "Signal Dispatch" to Other,
            "Notification Th" to Other,
            "Attach Listener" to Other,
            "Reference Handl" to Other,
            "Finalizer" to Other,
            "Common-Cleaner" to Other,
            "Cleaner-" to Other,
            "JFR " to Other,
        )

        /** The kind of the thread that the system calls [name]. Linux keeps the first 15 characters of a thread's name. */
        fun of(name: String): ThreadKind = STARTS.firstOrNull { (start, _) -> name.startsWith(start) }?.second ?: Client
    }
}

/**
 * Reads the processor time of a process by [ThreadKind], from `/proc/<pid>/task`: one instance for one stretch of time, one thread at a
 * time. The scheduler counts a thread's time in nanoseconds (`schedstat`).
 *
 * A thread keeps the time that was last read of it when it ends. What the process took beyond all threads that were ever read belongs to
 * threads that came and went between two readings. Only clients start such threads, so this is the client's.
 */
internal class ThreadTimes(pid: Long? = null, private val files: SystemFiles = SystemFiles.here) {
    private class Seen(var name: String, var nanos: Long = 0)

    private val process = "proc/${pid ?: "self"}"
    private val seen = HashMap<String, Seen>()

    /** The time of threads that have ended and whose number another thread has now. */
    private val ended = LongArray(ThreadKind.entries.size)
    private var unseen = 0L

    /** The seconds that each kind has taken so far, or null where the system does not give them. */
    fun read(): Map<ThreadKind, Double>? {
        val nanos = ended.clone()
        val names = files.names("$process/task").ifEmpty { return null }
        names.forEach { see(it) }
        seen.values.forEach { nanos[ThreadKind.of(it.name).ordinal] += it.nanos }
        val beyond = processNanos()?.minus(nanos.sum()) ?: return null
        // The process is counted in ticks of 10 ms, user and system time each.
        if (beyond > unseen + RESOLUTION) unseen = beyond
        nanos[ThreadKind.Client.ordinal] += unseen
        return ThreadKind.entries.associateWith { nanos[it.ordinal] / 1e9 }
    }

    private fun see(thread: String) {
        val nanos = files.text("$process/task/$thread/schedstat")?.substringBefore(' ')?.toLongOrNull() ?: return
        val last = seen[thread]
        if (last == null || nanos < last.nanos) {
            last?.let { ended[ThreadKind.of(it.name).ordinal] += it.nanos }
            seen[thread] = Seen(nameOf(thread), nanos)
            return
        }
        // A thread is called like its process until it has set its own name.
        if (last.name == UNNAMED) last.name = nameOf(thread)
        last.nanos = nanos
    }

    private fun nameOf(thread: String): String = files.text("$process/task/$thread/comm")?.trimEnd() ?: UNNAMED

    private fun processNanos(): Long? {
        val stat = files.text("$process/stat") ?: return null
        val fields = stat.substringAfterLast(") ").split(' ')
        val ticks = (fields.getOrNull(USER)?.toLongOrNull() ?: return null) + (fields.getOrNull(SYSTEM)?.toLongOrNull() ?: return null)
        return ticks * TICK_NANOS
    }

    private companion object {
        private const val UNNAMED = "java"

        /** Counted from the third field, the first one after the name. */
        private const val USER = 11
        private const val SYSTEM = 12
        private const val TICK_NANOS = 10_000_000L
        private const val RESOLUTION = 2 * TICK_NANOS
    }
}
