package clientlab.server.evidence

import org.HdrHistogram.Histogram

/** How much later than due answers were written, in 200 KB that never grow. Not thread-safe. [record] allocates nothing. */
internal class OvershootHistogram {
    private val micros = Histogram(LONGEST_MICROS, 3)
    private var maxNanos = 0L

    fun record(nanos: Long) {
        if (nanos > maxNanos) maxNanos = nanos
        micros.recordValue((nanos / NANOS_PER_MICRO).coerceIn(0, LONGEST_MICROS))
    }

    fun reset() {
        micros.reset()
        maxNanos = 0
    }

    fun read(): Overshoot {
        val count = micros.totalCount
        if (count == 0L) return Overshoot(null, null, null, null, 0, emptyList())
        val max = millis(maxNanos)

        fun percentile(p: Double) = minOf(micros.getValueAtPercentile(p) / MICROS_PER_MILLI, max)
        return Overshoot(percentile(50.0), percentile(90.0), percentile(99.0), max, count, within(count))
    }

    private fun within(all: Long): List<List<Double>> = buildList {
        for (limit in LIMITS_MICROS) {
            // Up to the microsecond below: an answer that is a fraction of a microsecond later has not kept the limit.
            val kept = micros.getCountBetweenValues(0, limit - 1)
            add(listOf(limit / MICROS_PER_MILLI, kept.toDouble()))
            if (kept == all) break
        }
    }

    private companion object {
        const val LONGEST_MICROS = 3_600_000_000L
        const val NANOS_PER_MICRO = 1_000L
        const val MICROS_PER_MILLI = 1_000.0

        // 10 µs, 20 µs, 50 µs and so on up to 50 s; later answers are in the total alone.
        val LIMITS_MICROS = generateSequence(10L) { it * 10 }.take(7).flatMap { sequenceOf(it, it * 2, it * 5) }.toList()
    }
}
