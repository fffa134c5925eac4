package clientlab.machine

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.useLines

/**
 * How much of all processors anything used between two readings, as Linux counts it in `/proc/stat`.
 *
 * Together with the processor time of client and server it shows what the kernel did for no process, and what others used.
 */
public class MachineReading internal constructor(private val busy: Long, private val all: Long) {
    /** The share that was used since [before], 0 to 1; null if no clock tick lies between. */
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

    internal fun parse(line: String): MachineReading? =
        processorTicks(line)?.let { ticks -> MachineReading(busy = ticks.sum() - ticks[IDLE] - ticks[IO_WAIT], all = ticks.sum()) }

    private const val IDLE = 3
    private const val IO_WAIT = 4
}
