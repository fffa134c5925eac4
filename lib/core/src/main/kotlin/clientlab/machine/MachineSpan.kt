package clientlab.machine

import clientlab.probe.*
import kotlinx.serialization.Serializable

/**
 * What happened on the whole machine between two moments; a number is null if the system does not give it.
 *
 * @property seconds the length, by the machine's clock ticks.
 * @property load the load average over the last minute, at the end.
 * @property stealShare of the time of all processors, the share that the host gave to other guests, 0 to 1.
 * @property othersProcessors how many processors others kept busy on average: all user and system time, less that of our own processes and
 *   that of the kernel's own threads. Interrupts are not included, because most of them are ours.
 * @property othersBusy how many processes that are not ours took more than 5 % of a processor. Their names are not kept, because manifests
 *   are published.
 * @property throttledMs processor time that a quota of our control group, or of one above it, withheld.
 * @property swappedPages pages that any process read from swap or wrote to it.
 */
@Serializable
public data class MachineSpan(
    val seconds: Double? = null,
    val load: Double? = null,
    val stealShare: Double? = null,
    val othersProcessors: Double? = null,
    val othersBusy: Int? = null,
    val throttledMs: Double? = null,
    val swappedPages: Long? = null,
)

/** Counters of the whole machine since its start; [spanSince] compares two of them. */
public class MachineCounters internal constructor(
    private val ticks: CpuTicks?,
    private val processes: ProcessTable,
    private val load: Double?,
    private val throttledUs: Double?,
    private val swappedPages: Long?,
) {
    /** What happened between [before] and this moment. */
    public fun spanSince(before: MachineCounters): MachineSpan {
        val all = if (ticks == null || before.ticks == null) 0L else ticks.all - before.ticks.all
        val moment = MachineSpan(
            load = load,
            throttledMs = difference(throttledUs, before.throttledUs)?.let { it / US_PER_MS },
            swappedPages = difference(swappedPages?.toDouble(), before.swappedPages?.toDouble())?.toLong(),
        )
        if (all <= 0L || ticks == null || before.ticks == null || ticks.processors == 0) return moment
        // In ticks of one processor. The number of ticks per second matters for the length alone.
        val wall = all.toDouble() / ticks.processors
        val ours = difference(processes.ours?.toDouble(), before.processes.ours?.toDouble())
        val others = ours?.let { ticks.programs - before.ticks.programs - it - (processes.kernels - before.processes.kernels) }
        return moment.copy(
            seconds = wall / TICKS_PER_SECOND,
            stealShare = (ticks.steal - before.ticks.steal).toDouble() / all,
            // Our processes are measured in nanoseconds and the machine by sampling, so a small value may come out negative.
            othersProcessors = others?.let { it.coerceAtLeast(0.0) / wall },
            othersBusy = if (ours == null) null else processes.busySince(before.processes, BUSY_SHARE * wall),
        )
    }

    private fun difference(now: Double?, before: Double?): Double? = if (now == null || before == null) null else now - before

    public companion object {
        /** A process that takes more of a processor than this counts as busy. Each program of an idle desktop takes less. */
        public const val BUSY_SHARE: Double = 0.05

        /** `USER_HZ`, which is 100 on every Linux that runs a JVM. */
        private const val TICKS_PER_SECOND = 100
        private const val US_PER_MS = 1000

        /**
         * Reads them for the process [self] and what it has started; it takes some milliseconds if there are many processes, so it is
         * called between trials and never during one.
         */
        public fun read(files: SystemFiles = SystemFiles.here, self: Long = ProcessHandle.current().pid()): MachineCounters =
            MachineCounters(
                ticks = CpuTicks.parse(files.lines("proc/stat")),
                processes = ProcessTable.read(files, self),
                load = MachineSettings.load(files),
                throttledUs = Throttling.read(files, self),
                swappedPages = swapped(files.lines("proc/vmstat")),
            )

        private fun swapped(vmstat: List<String>): Long? {
            fun number(name: String) = vmstat
                .firstOrNull { it.startsWith("$name ") }
                ?.substringAfter(' ')
                ?.trim()
                ?.toLongOrNull()
            return number("pswpin")?.let { read -> number("pswpout")?.let { read + it } }
        }
    }
}

/**
 * The first lines of `/proc/stat`, in ticks of all processors together.
 *
 * @property programs user, nice and system time of processes. @property steal time that the host took. @property all everything, idle time
 *   included.
 */
internal data class CpuTicks(
    val programs: Long,
    val steal: Long,
    val all: Long,
    val processors: Int,
) {
    companion object {
        private val PROCESSOR = Regex("cpu\\d+ .*")
        private const val PROGRAMS = 3

        fun parse(lines: List<String>): CpuTicks? {
            val ticks = lines.firstNotNullOfOrNull(::processorTicks) ?: return null
            return CpuTicks(ticks.take(PROGRAMS).sum(), ticks.last(), ticks.sum(), lines.count { PROCESSOR.matches(it) })
        }
    }
}

/** The processor time that quotas withheld, from `cpu.stat` of our control group and of those above it, in version 2 or 1. */
internal object Throttling {
    /** In microseconds for all processors together; null if no group gives it. */
    fun read(files: SystemFiles, self: Long): Double? {
        val groups = files.lines("proc/$self/cgroup").mapNotNull { line ->
            val parts = line.split(':', limit = PARTS)
            if (parts.size < PARTS) null else parts[1] to parts[2].trim('/')
        }
        val second = groups.firstOrNull { it.first.isEmpty() }?.second
        val first = groups.firstOrNull { "cpu" in it.first.split(',') }
        val told =
            upwards(second).mapNotNull { number(files, "sys/fs/cgroup/${it}cpu.stat", "throttled_usec") } +
                upwards(first?.second).mapNotNull { group ->
                    listOf(first?.first, "cpu").firstNotNullOfOrNull { mount ->
                        number(files, "sys/fs/cgroup/$mount/${group}cpu.stat", "throttled_time")?.div(NS_PER_US)
                    }
                }
        return told.takeIf { it.isNotEmpty() }?.sum()
    }

    /** For a group `a/b`: `a/b/`, `a/` and the empty text. A container with its own view may have only the last. */
    private fun upwards(group: String?): List<String> {
        val names = group?.split('/')?.filter { it.isNotEmpty() } ?: return emptyList()
        return (names.size downTo 0).map { depth -> names.take(depth).joinToString("") { "$it/" } }
    }

    private fun number(files: SystemFiles, path: String, name: String): Double? =
        files
            .lines(path)
            .firstOrNull { it.startsWith("$name ") }
            ?.substringAfter(' ')
            ?.trim()
            ?.toDoubleOrNull()

    private const val PARTS = 3
    private const val NS_PER_US = 1000.0
}
