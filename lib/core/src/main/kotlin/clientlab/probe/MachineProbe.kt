package clientlab.probe

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.useLines

/**
 * How much of all processors was used between two readings, by whoever, as Linux counts it in `/proc/stat`.
 *
 * Beside the processor time of client and server it shows what the kernel did on nobody's account, and what others took.
 */
public class MachineReading internal constructor(private val busy: Long, private val all: Long) {
    /** The share that was used from [before] until this reading, 0 to 1; null where no clock tick lay between. */
    public fun shareSince(before: MachineReading): Double? = if (all == before.all) {
        null
    } else {
        (busy - before.busy).toDouble() / (all - before.all)
    }
}

/** Reads [MachineReading]; thread-safe. */
public object MachineProbe {
    private val stat = Path.of("/proc/stat")

    /** The counters now, in steps of 10 ms; null on other systems than Linux. */
    public fun read(): MachineReading? = if (stat.exists()) stat.useLines { parse(it.first()) } else null

    /** The first line: user, nice, system, idle, iowait, irq, softirq, steal; those of guests are within user and nice. */
    internal fun parse(line: String): MachineReading? {
        val ticks = line
            .split(' ')
            .filter { it.isNotEmpty() }
            .drop(1)
            .take(FIELDS)
            .map { it.toLongOrNull() ?: return null }
        if (!line.startsWith("cpu ") || ticks.size < FIELDS) return null
        return MachineReading(busy = ticks.sum() - ticks[IDLE] - ticks[IO_WAIT], all = ticks.sum())
    }

    private const val FIELDS = 8
    private const val IDLE = 3
    private const val IO_WAIT = 4
}
