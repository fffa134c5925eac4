package clientlab.machine

private const val FIELDS = 8

/**
 * The counters of all processors together, from the first line of `/proc/stat`, in ticks: user, nice, system, idle, iowait, irq, softirq and
 * steal; those of guests are within user and nice. Null where [line] is another.
 */
internal fun processorTicks(line: String): List<Long>? {
    if (!line.startsWith("cpu ")) return null
    val ticks = line
        .split(' ')
        .filter { it.isNotEmpty() }
        .drop(1)
        .take(FIELDS)
    return ticks.mapNotNull { it.toLongOrNull() }.takeIf { it.size == FIELDS }
}
