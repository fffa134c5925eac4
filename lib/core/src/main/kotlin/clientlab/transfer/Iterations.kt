package clientlab.transfer

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.util.Locale
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/**
 * The timed iterations of a transfer.
 *
 * @property tookMs of each iteration, in their order.
 * @property broken why they ended before the last, in one sentence, or null.
 */
internal class Iterations(val tookMs: List<Double>, val broken: String?, private val work: Work) {
    /**
     * The numbers of iterations that move [bytes] bytes each. If [ownJvm], the fork's own cost is left out; [peerCpuSeconds] is the cost of
     * the process at the other end.
     */
    fun metrics(bytes: Long, ownJvm: Boolean = false, peerCpuSeconds: Double? = null): Numbers {
        if (tookMs.isEmpty()) return emptyMap()
        val mebibytes = bytes / MEBIBYTE
        val inAll = mebibytes * tookMs.size
        return buildMap {
            tell(TransferMetrics.iterations, tookMs.size)
            tell(CommonMetrics.durationMs, tookMs.sum())
            tell(TransferMetrics.iterationMedianMs, median(tookMs))
            tell(TransferMetrics.iterationMeanMs, tookMs.average())
            tell(TransferMetrics.iterationMinMs, tookMs.min())
            tell(TransferMetrics.iterationMaxMs, tookMs.max())
            tell(TransferMetrics.iterationFirstMs, tookMs.first())
            tell(TransferMetrics.iterationSteadyMs, median(tookMs.drop(tookMs.size / 2)))
            tell(TransferMetrics.throughputMiBs, mebibytes * 1000 / median(tookMs))
            if (!ownJvm) {
                tellWork(work)
                tell(TransferMetrics.cpuSecondsPerMiB, work.cpuSeconds / inAll)
                tell(TransferMetrics.allocatedBytesPerMiB, work.allocatedBytes / inAll)
            }
            if (peerCpuSeconds != null) {
                tell(TransferMetrics.peerCpuSecondsPerMiB, peerCpuSeconds / inAll)
                tell(TransferMetrics.peerBusy, peerCpuSeconds * 1000 / tookMs.sum())
            }
        }
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
            val (_, work) = Work.measure {
                while (took.size < iterations && broken == null) {
                    val number = "Iteration ${took.size + 1} of $iterations"
                    val began = System.nanoTime()
                    try {
                        val (result, own) = move()
                        val nanos = System.nanoTime() - began
                        broken = wrong(result)?.let { "$number: $it" }
                        if (broken == null) took += (own ?: nanos) / 1e6
                    } catch (e: Exception) {
                        broken = "$number broke off: ${said(e)}"
                    }
                }
            }
            return Iterations(took, broken, work)
        }

        private fun median(values: List<Double>): Double {
            val sorted = values.sorted()
            return (sorted[(sorted.size - 1) / 2] + sorted[sorted.size / 2]) / 2
        }
    }
}

/**
 * What is wrong with a transfer, or null, and the numbers of its threads. If nothing broke the [iterations], it repeats the untimed [pass],
 * which tells a fault, at least long enough for the probes, which would disturb timed iterations, to see the threads.
 */
internal fun checkedPass(iterations: Iterations, threadsBefore: Int, pass: () -> String?): Pair<String?, Numbers> {
    if (iterations.broken != null) return iterations.broken to emptyMap()
    ThreadFollower(FOLLOWING).use { follower ->
        val until = TimeSource.Monotonic.markNow() + WATCHED
        var wrong: String?
        do {
            wrong =
                try {
                    pass()
                } catch (e: Exception) {
                    "It broke off: ${said(e)}"
                }
        } while (wrong == null && until.hasNotPassedNow())
        follower.stop()
        val numbers =
            buildMap<Metric, Double> {
                tell(CommonMetrics.threadsPeak, follower.peak)
                tell(TransferMetrics.threadsAdded, (follower.peak - threadsBefore).coerceAtLeast(0))
            }
        return wrong?.let { "The pass that checks: $it" } to numbers
    }
}

/** Platform threads now, without those of the harness. */
internal fun threadsNow(): Int = ThreadProbe(ThreadOwners(emptyList())) { false }.baseline().live.size

internal fun wrongLength(asked: Long, found: Long?): String? = "$found of $asked bytes arrived.".takeIf { found != null && found != asked }

internal fun wrongChecksum(sent: Long, found: Long?): String? {
    if (found == null || found == sent) return null
    return "The checksum differs: %08x was sent and %08x arrived.".format(Locale.ROOT, sent, found)
}

private fun said(failure: Throwable): String = failure.toString().trimEnd('.') + "."

private val FOLLOWING = 5.milliseconds
private val WATCHED = 100.milliseconds
