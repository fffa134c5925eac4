package clientlab.machine

import clientlab.probe.*

/**
 * One process as `/proc/<pid>/stat` has it (`man 5 proc_pid_stat`), with clock ticks of user and system time.
 *
 * @property children the ticks of its children that have ended and were waited for, and of their children.
 * @property kernel whether it is a thread of the kernel, not a program.
 * @property started in ticks since boot; it distinguishes two processes that had the same id one after the other.
 */
internal data class ProcessLine(
    val pid: Long,
    val parent: Long,
    val own: Long,
    val children: Long,
    val kernel: Boolean,
    val started: Long,
) {
    companion object {
        /** Parses one line; null if it is not one. */
        fun parse(line: String): ProcessLine? {
            val pid = line.substringBefore(' ').toLongOrNull() ?: return null
            // The manual numbers fields from 1. The third follows the name, which is in brackets and may contain any characters.
            val rest = line.substringAfterLast(')', "").trim().split(' ')
            val fields = listOf(0L, pid, 0L) + rest.map { it.toLongOrNull() ?: 0L }
            if (fields.size <= STARTED) return null
            return ProcessLine(
                pid = pid,
                parent = fields[4],
                own = fields[14] + fields[15],
                children = fields[16] + fields[17],
                kernel = fields[9] and KERNEL_THREAD != 0L,
                started = fields[STARTED],
            )
        }

        private const val STARTED = 22

        /** `PF_KTHREAD` of the flags. */
        private const val KERNEL_THREAD = 0x00200000L
    }
}

/** The processes of a machine at one moment. Ours are [self] and its descendants, those that have ended included. */
internal class ProcessTable(private val lines: List<ProcessLine>, self: Long) {
    private val tree: Set<Long> = buildSet {
        val byParent = lines.groupBy { it.parent }

        fun descend(pid: Long) {
            if (add(pid)) byParent[pid].orEmpty().forEach { descend(it.pid) }
        }
        descend(self)
    }

    /** Ticks of our own processes, ended ones included; null if this process is not in the table. */
    val ours: Long? = if (lines.any { it.pid == self }) lines.filter { it.pid in tree }.sumOf { it.own + it.children } else null

    /** Ticks of the kernel's own threads, which work for all processes, the trial included. */
    val kernels: Long = lines.filter { it.kernel }.sumOf { it.own }

    private val others: Map<Pair<Long, Long>, Long> =
        lines.filter { it.pid !in tree && !it.kernel }.associate { (it.pid to it.started) to it.own }

    /** The number of other processes that took more than [ticks] since [before]. */
    fun busySince(before: ProcessTable, ticks: Double): Int =
        others.count { (process, own) -> own - (before.others[process] ?: 0L) > ticks }

    companion object {
        fun read(files: SystemFiles, self: Long): ProcessTable {
            val pids = files.names("proc").filter { name -> name.all { it in '0'..'9' } }
            return ProcessTable(pids.mapNotNull { pid -> files.text("proc/$pid/stat")?.let(ProcessLine::parse) }, self)
        }
    }
}
