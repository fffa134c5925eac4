package clientlab.machine

import clientlab.probe.*

/** The counters of all processors together, from `/proc/stat`, in ticks of 10 ms. Those of guests are within user and nice. */
internal class ProcessorTicks private constructor(ticks: List<Long>, val processors: Int) {
    val all: Long = ticks.sum()

    /** Time that the host took. */
    val steal: Long = ticks.last()

    /** Time without work, and time without work while a disk was waited for. Linux measures both, and samples programs at its ticks. */
    val idle: Long = ticks[IDLE] + ticks[IDLE + 1]

    /** Time of interrupts, the deferred ones too. */
    val interrupts: Long = ticks[INTERRUPTS] + ticks[INTERRUPTS + 1]

    private val busy: Long = all - idle

    /** The share of all processors' time that anything used since [before], the kernel included; null if no tick lies between. */
    fun shareSince(before: ProcessorTicks): Double? =
        if (all == before.all) null else (busy - before.busy).toDouble() / (all - before.all)

    companion object {
        /** User, nice, system, idle, iowait, irq, softirq and steal. */
        private const val FIELDS = 8
        private const val IDLE = 3
        private const val INTERRUPTS = 5
        private val BLANKS = Regex(" +")
        private val PROCESSOR = Regex("cpu\\d+ .*")

        fun parse(lines: List<String>): ProcessorTicks? {
            val words = lines.firstOrNull { it.startsWith("cpu ") }.orEmpty().split(BLANKS)
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
