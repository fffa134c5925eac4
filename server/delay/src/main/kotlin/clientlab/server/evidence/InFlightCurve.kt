package clientlab.server.evidence

/**
 * Requests in flight over time, in a fixed number of true points. Time is cut into slices; a slice in which something changed keeps its
 * highest and its last value, each with its time. When there are too many slices, they become twice as wide and neighbours are merged.
 * Not thread-safe: for the one event loop. [record] allocates nothing.
 */
internal class InFlightCurve {
    private val peakAt = LongArray(SLICES)
    private val peak = IntArray(SLICES)
    private val lastAt = LongArray(SLICES)
    private val last = IntArray(SLICES)
    private var used = 0
    private var width = FIRST_WIDTH_NANOS
    private var base = 0
    private var firstAt = 0L

    /** Forgets everything; [value] requests are in flight now. */
    fun reset(value: Int) {
        used = 0
        width = FIRST_WIDTH_NANOS
        base = value
        firstAt = 0
    }

    /** [value] requests are in flight from [nanos] after the reset on; times must not go back. */
    fun record(nanos: Long, value: Int) {
        val open = used - 1
        if (open >= 0 && nanos / width == lastAt[open] / width) {
            if (value > peak[open]) {
                peak[open] = value
                peakAt[open] = nanos
            }
            last[open] = value
            lastAt[open] = nanos
            return
        }
        if (used == 0) firstAt = nanos
        while (used == SLICES) halve()
        peakAt[used] = nanos
        peak[used] = value
        lastAt[used] = nanos
        last[used] = value
        used++
    }

    /** At most 199 points (nanoseconds after the reset, in flight) in order of time; the first is the value before the first change. */
    fun points(): List<Pair<Long, Int>> = buildList {
        add(firstAt to base)
        for (i in 0 until used) {
            if (peakAt[i] != lastAt[i]) add(peakAt[i] to peak[i])
            add(lastAt[i] to last[i])
        }
    }

    fun pointsMs(origin: Long): List<List<Double>> = points().map { (nanos, value) -> listOf(millis(nanos - origin), value.toDouble()) }

    private fun halve() {
        width *= 2
        var to = 0
        for (from in 1 until used) {
            val isOther = lastAt[from] / width != lastAt[to] / width
            if (isOther) to++
            if (isOther || peak[from] > peak[to]) {
                peak[to] = peak[from]
                peakAt[to] = peakAt[from]
            }
            last[to] = last[from]
            lastAt[to] = lastAt[from]
        }
        used = to + 1
    }
}

private const val SLICES = 99
private const val FIRST_WIDTH_NANOS = 250_000L
