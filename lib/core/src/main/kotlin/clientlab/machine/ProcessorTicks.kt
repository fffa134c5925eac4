package clientlab.machine

import clientlab.probe.*

/**
 * The counters of all processors together, from `/proc/stat`, in ticks of 10 ms: user, nice, system, idle, iowait, irq, softirq and steal.
 * Those of guests are within user and nice.
 */
internal class ProcessorTicks private constructor(private val ticks: List<Long>, val processors: Int) {
    val all: Long get() = ticks.sum()

    /** User, nice and system time of processes. */
    val programs: Long get() = ticks.take(PROGRAMS).sum()

    /** Time that the host took. */
    val steal: Long get() = ticks.last()

    private val busy: Long get() = all - ticks[IDLE] - ticks[IO_WAIT]

    /** The share of all processors' time that anything used since [before], the kernel included; null if no tick lies between. */
    fun shareSince(before: ProcessorTicks): Double? =
        if (all == before.all) null else (busy - before.busy).toDouble() / (all - before.all)

    companion object {
        private const val FIELDS = 8
        private const val PROGRAMS = 3
        private const val IDLE = 3
        private const val IO_WAIT = 4
        private val PROCESSOR = Regex("cpu\\d+ .*")

        fun parse(lines: List<String>): ProcessorTicks? {
            val words = lines
                .firstOrNull { it.startsWith("cpu ") }
                ?.split(' ')
                .orEmpty()
                .filter { it.isNotEmpty() }
            val ticks = words.drop(1).take(FIELDS).mapNotNull { it.toLongOrNull() }
            return if (ticks.size == FIELDS) ProcessorTicks(ticks, lines.count(PROCESSOR::matches)) else null
        }
    }
}

/** Reads [ProcessorTicks]; thread-safe. */
internal object MachineProbe {
    /** The counters now; null on other systems than Linux. */
    fun read(): ProcessorTicks? = ProcessorTicks.parse(SystemFiles.here.lines("proc/stat"))

    fun parse(line: String): ProcessorTicks? = ProcessorTicks.parse(listOf(line))
}
