package clientlab.transfer

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*

/**
 * The timed iterations of a transfer.
 *
 * @property tookMs of each iteration, in their order.
 * @property broken why they ended before the last, in one sentence, or null.
 */
internal class Iterations(
    val tookMs: List<Double>,
    val broken: String?,
    private val cpuSeconds: Double,
    private val allocatedBytes: Long,
) {
    /** The numbers of a course whose iterations move [bytes] bytes each; if [ownJvm], the fork's own cost is left out. */
    fun metrics(bytes: Long, ownJvm: Boolean = false): Map<Metric, Double> {
        if (tookMs.isEmpty()) return emptyMap()
        val mebibytes = bytes / MEBIBYTE
        return buildMap {
            put(TransferMetrics.iterations, tookMs.size.toDouble())
            put(CommonMetrics.durationMs, tookMs.sum())
            put(TransferMetrics.iterationMedianMs, median(tookMs))
            put(TransferMetrics.iterationMeanMs, tookMs.average())
            put(TransferMetrics.iterationMinMs, tookMs.min())
            put(TransferMetrics.iterationMaxMs, tookMs.max())
            put(TransferMetrics.iterationFirstMs, tookMs.first())
            put(TransferMetrics.iterationSteadyMs, median(tookMs.drop(tookMs.size / 2)))
            put(TransferMetrics.throughputMiBs, mebibytes * 1000 / median(tookMs))
            if (!ownJvm) {
                put(CommonMetrics.cpuSeconds, cpuSeconds)
                put(CommonMetrics.allocatedBytes, allocatedBytes.toDouble())
                put(TransferMetrics.cpuSecondsPerMiB, cpuSeconds / (mebibytes * tookMs.size))
                put(TransferMetrics.allocatedBytesPerMiB, allocatedBytes / (mebibytes * tookMs.size))
            }
        }
    }

    /** The cost of the process at the other end: [peerCpuSeconds] for all iterations. */
    fun peerMetrics(bytes: Long, peerCpuSeconds: Double): Map<Metric, Double> =
        if (tookMs.isEmpty()) {
            emptyMap()
        } else {
            mapOf(
                TransferMetrics.peerCpuSecondsPerMiB to peerCpuSeconds / (bytes / MEBIBYTE * tookMs.size),
                TransferMetrics.peerBusy to peerCpuSeconds * 1000 / tookMs.sum(),
            )
        }

    /** The iterations as a curve: `[number from 1, ms]`. */
    fun curve(): List<List<Double>> = tookMs.mapIndexed { index, ms -> listOf(index + 1.0, ms) }.take(MOST_POINTS)

    companion object {
        private const val MEBIBYTE = 1048576.0
        private const val MOST_POINTS = 200

        /**
         * Calls [move] [iterations] times. It ends early if [move] throws or if [wrong] finds a fault in its result. [move] returns its
         * result with the nanoseconds of its own clock, or null for our clock.
         */
        fun <T> run(iterations: Int, wrong: (T) -> String?, move: () -> Pair<T, Long?>): Iterations {
            val took = ArrayList<Double>(iterations)
            var broken: String? = null
            val before = ProcessProbe.read()
            while (took.size < iterations && broken == null) {
                val began = System.nanoTime()
                val outcome = runCatching(move)
                val nanos = System.nanoTime() - began
                val number = "Iteration ${took.size + 1} of $iterations"
                outcome.fold(
                    onSuccess = { (result, own) ->
                        val sentence = wrong(result)
                        if (sentence == null) took += (own ?: nanos) / 1e6 else broken = "$number: $sentence"
                    },
                    onFailure = { failure ->
                        if (failure is Error) throw failure
                        broken = "$number broke off: ${said(failure)}"
                    },
                )
            }
            val after = ProcessProbe.read()
            return Iterations(took, broken, after.cpuSeconds - before.cpuSeconds, after.allocatedBytes - before.allocatedBytes)
        }

        private fun median(values: List<Double>): Double {
            val sorted = values.sorted()
            return (sorted[(sorted.size - 1) / 2] + sorted[sorted.size / 2]) / 2
        }
    }
}
