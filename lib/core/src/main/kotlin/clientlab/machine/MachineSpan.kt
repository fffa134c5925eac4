package clientlab.machine

import clientlab.probe.*
import kotlinx.serialization.Serializable

/**
 * What happened on the whole machine between two moments; a number is null if the system does not give it.
 *
 * @property load the load average over the last minute, at the end.
 * @property stealShare of the time of all processors, the share that the host gave to other guests, 0 to 1.
 * @property othersProcessors how many processors programs that are not ours kept busy, without interrupts, because most of them are ours.
 * It is the time that passed, less what was idle and what was ours. The kernel's samples of work are not used: a load that keeps step with
 * its ticks is seen too often or too seldom.
 * @property othersBusy how many processes that are not ours took more than 5 % of a processor. Manifests are published, so no names.
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
public class MachineCounters private constructor(
    private val ticks: ProcessorTicks?,
    private val processes: ProcessTable,
    private val load: Double?,
    private val throttledUs: Long?,
    private val swappedPages: Long?,
    private val nanos: Long,
) {
    /** What happened between [before] and this moment. */
    public fun spanSince(before: MachineCounters): MachineSpan {
        val moment = MachineSpan(
            load = load,
            throttledMs = throttledUs.since(before.throttledUs)?.div(US_PER_MS),
            swappedPages = swappedPages.since(before.swappedPages),
        )
        if (ticks == null || before.ticks == null) return moment
        val all = ticks.all - before.ticks.all
        if (all <= 0L || ticks.processors == 0) return moment
        val seconds = (nanos - before.nanos) / NS_PER_SECOND
        // In ticks of 10 ms, as everything below.
        val wall = seconds * TICKS_PER_SECOND
        val unused = ticks.idle - before.ticks.idle + ticks.steal - before.ticks.steal
        val kernel = ticks.interrupts - before.ticks.interrupts + processes.kernels - before.processes.kernels
        val ours = processes.ours.since(before.processes.ours)
        return moment.copy(
            seconds = seconds,
            stealShare = (ticks.steal - before.ticks.steal).toDouble() / all,
            // A part of it is rounded or sampled, so a small value may come out negative.
            othersProcessors = ours?.let { (wall * ticks.processors - unused - kernel - it).coerceAtLeast(0.0) / wall },
            othersBusy = ours?.let { processes.busySince(before.processes, BUSY_SHARE * wall) },
        )
    }

    private fun Long?.since(before: Long?): Long? = if (this == null || before == null) null else this - before

    public companion object {
        /** A process that takes more of a processor than this counts as busy. Each program of an idle desktop takes less. */
        private const val BUSY_SHARE = 0.05

        /** `USER_HZ`, which is 100 on every Linux that runs a JVM. */
        private const val TICKS_PER_SECOND = 100
        private const val US_PER_MS = 1000.0
        private const val NS_PER_SECOND = 1e9

        /**
         * Reads them for the process [self] and what it has started, at the time [nanos] of a clock that only goes forward. It takes
         * milliseconds, so call it between trials only.
         */
        public fun read(
            files: SystemFiles = SystemFiles.here,
            self: Long = ProcessHandle.current().pid(),
            nanos: Long = System.nanoTime(),
        ): MachineCounters {
            val pages = files.lines("proc/vmstat")
            return MachineCounters(
                ticks = ProcessorTicks.parse(files.lines("proc/stat")),
                processes = ProcessTable.read(files, self),
                load = MachineSettings.load(files),
                throttledUs = Throttling.read(files, self),
                swappedPages = pages.number("pswpin")?.let { read -> pages.number("pswpout")?.plus(read) },
                nanos = nanos,
            )
        }
    }
}

/** The processor time that quotas withheld, from `cpu.stat` of our control group and of those above it, in version 2 or 1. */
private object Throttling {
    /** In microseconds for all processors together; null if no group gives it. */
    fun read(files: SystemFiles, self: Long): Long? {
        // Lines as `1:cpu,cpuacct:/a/b`; a group of version 2 has no controllers.
        val groups = files.lines("proc/$self/cgroup").map { it.split(':', limit = PARTS) }.filter { it.size == PARTS }
        val told = groups.flatMap { (_, controllers, group) ->
            upwards(group).mapNotNull { above ->
                when {
                    controllers.isEmpty() -> files.lines("sys/fs/cgroup/${above}cpu.stat").number("throttled_usec")
                    "cpu" in controllers.split(',') -> throttled(files, controllers, above) ?: throttled(files, "cpu", above)
                    else -> null
                }
            }
        }
        return told.ifEmpty { null }?.sum()
    }

    private fun throttled(files: SystemFiles, mount: String, group: String): Long? =
        files.lines("sys/fs/cgroup/$mount/${group}cpu.stat").number("throttled_time")?.div(NS_PER_US)

    /** For a group `/a/b`: `a/b/`, `a/` and the empty text. A container with its own view may have only the last. */
    private fun upwards(group: String): List<String> {
        val names = group.split('/').filter { it.isNotEmpty() }
        return (names.size downTo 0).map { depth -> names.take(depth).joinToString("") { "$it/" } }
    }

    private const val PARTS = 3
    private const val NS_PER_US = 1000
}
