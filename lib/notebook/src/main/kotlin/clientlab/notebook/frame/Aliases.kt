package clientlab.notebook.frame

import clientlab.Factor
import clientlab.Treatment
import clientlab.notebook.stats.Estimate
import clientlab.notebook.stats.Holm
import clientlab.refuseUnless
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** A treatment against itself: [metric] under its first name over the same under its second, and the one less the other. */
internal class SelfComparison(
    val treatment: Treatment,
    val metric: String,
    val ratio: Estimate,
    val difference: Estimate,
)

/**
 * What one and the same thing differs by under two names, a row for each treatment and metric of an A/A run ([clientlab.Experiment.aa]):
 * the ratio of the medians of `A` and of `A again`, whose intervals are corrected by Holm for all rows, and whether each includes 1.
 *
 * @param metrics those that articles compare by, where none are named. Two zeros count as equal, so that their ratio is 1.
 */
public fun Trials.aa(vararg metrics: String = COMPARED): AnyFrame {
    val all = againstThemselves(metrics.toList())
    return dataFrameOf(
        all.map { it.treatment.toString() }.toColumn("treatment"),
        all.map { it.metric }.toColumn("metric"),
        all.map { it.ratio.toString() }.toColumn("ratio"),
        all.map { it.ratio.n }.toColumn("n"),
        all.map { if (1.0 in it.ratio.low..it.ratio.high) "yes" else "no" }.toColumn("includes 1"),
    ).from(this)
}

/** The same as a list, for a figure; refused where nothing has two names. */
internal fun Trials.againstThemselves(metrics: List<String>): List<SelfComparison> {
    refuseUnless(twice().isNotEmpty()) { "No treatment here has two names: run the experiment's aa(), as in experiment.aa().run()." }
    return selfComparisons(metrics)
}

/** Every treatment that is there under two names, against itself by each of [metrics] that it has. */
internal fun Trials.selfComparisons(metrics: List<String> = COMPARED.toList()): List<SelfComparison> {
    val rows =
        twice()
            .flatMap { (treatment, names) ->
                val (first, second) = names.sortedBy { it[Factor.ALIAS] }
                metrics.map { Triple(treatment, it, first.values(it) to second.values(it)) }
            }.filter { (_, _, values) -> values.first.isNotEmpty() && values.second.isNotEmpty() }
    val ratios = Holm.ratios(rows.map { it.third })
    val differences = Holm.differences(rows.map { it.third })
    return rows.mapIndexed { row, (treatment, metric, _) -> SelfComparison(treatment, metric, ratios[row], differences[row]) }
}

/** The treatments without their names, each with its trials under the two. */
private fun Trials.twice(): Map<Treatment, List<TreatmentTrials>> =
    byTreatment().filter { it[Factor.ALIAS] != null }.groupBy { it.treatment.without(Factor.ALIAS) }.filterValues { it.size == 2 }

/** The metrics that articles compare treatments by; `threadsLeft` is a column of every trial. */
internal val COMPARED: Array<String> =
    arrayOf(
        // Time.
        "durationMs",
        "durationAgainMs",
        "latencyP50Ms",
        "latencyP99Ms",
        "latencyMaxMs",
        "sentLatencyP99Ms",
        "snapshotAtMs",
        "queuedMaxMs",
        "connectMaxMs",
        "servedP50Ms",
        "servedMaxMs",
        "readingMaxMs",
        "baseLatencyMs",
        "iterationMedianMs",
        "requestsPerSecond",
        "throughputMiBs",
        // Processor time and memory.
        "cpuSeconds",
        "cpuShare",
        "machineShare",
        "requestCpuMs",
        "cpuSecondsPerMiB",
        "allocatedBytes",
        "requestAllocatedBytes",
        "allocatedBytesPerMiB",
        "rssBytes",
        "anonPeakBytes",
        "memoryGrowthBytes",
        "heapGrowthBytes",
        "residentGrowthBytes",
        // Counts.
        "inFlightPeak",
        "batches",
        "connectionsOpened",
        "connectionsOpenedAgain",
        "requestsHttp1",
        "threadsBlocked",
        "threadsNew",
        "threadsUnparked",
        "activeNew",
        "activeUnparkedNew",
        "threadsLeft",
        "threadsAdded",
        "osThreads",
        "osThreadsPeak",
        "answeredShare",
        "socketsLeft",
    )
