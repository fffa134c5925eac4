package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** An A/A comparison of one treatment: the ratio and the difference of [metric] between its two aliases. */
internal class SelfComparison(
    val treatment: Treatment,
    val metric: String,
    val ratio: Estimate,
    val difference: Estimate,
)

/**
 * The A/A comparison, one row per treatment and metric of an A/A run ([clientlab.Experiment.aa]): the ratio of the medians of `A` and of `A
 * again`, with intervals corrected by Holm for all rows, and whether each includes 1.
 *
 * @param metrics if none are named, those by which articles compare. Two zeros count as equal, so their ratio is 1.
 */
public fun Trials<*>.aa(vararg metrics: String = COMPARED): AnyFrame {
    val all = againstThemselves(metrics.toList())
    return dataFrameOf(
        all.map { it.treatment.toString() }.toColumn("treatment"),
        all.map { it.metric }.toColumn("metric"),
        all.map { it.ratio.toString() }.toColumn("ratio"),
        all.map { it.ratio.n }.toColumn("n"),
        all.map { if (1.0 in it.ratio.low..it.ratio.high) "yes" else "no" }.toColumn("includes 1"),
    ).from(this)
}

/** The same as a list, for a figure. Fails if no treatment has two names. */
internal fun Trials<*>.againstThemselves(metrics: List<String>): List<SelfComparison> {
    refuseUnless(twice().isNotEmpty()) { "No treatment here has two names: run the experiment's aa(), as in experiment.aa().run()." }
    return selfComparisons(metrics)
}

/** Every treatment with two names, compared with itself by each of its [metrics]. */
internal fun Trials<*>.selfComparisons(metrics: List<String> = COMPARED.toList()): List<SelfComparison> {
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

/** The treatments without their aliases, each with its trials under both. */
private fun Trials<*>.twice(): Map<Treatment, List<TreatmentTrials>> =
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
