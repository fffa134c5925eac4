package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.reflect.KClass

/** An A/A comparison of one treatment: the ratio and the difference of [metric] between its two aliases. */
internal class SelfComparison(val treatment: Treatment, val metric: String, val ratio: Estimate, val difference: Estimate)

/**
 * The A/A comparison, one row per treatment and metric of an A/A run ([clientlab.Experiment.aa]): the ratio of the medians of `A` and of `A
 * again`, with intervals corrected by Holm for all rows, and whether each includes 1. Two zeros count as equal, so their ratio is 1.
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

/** The comparisons of [aa] as a list, for a figure. Fails if no treatment has two names. */
internal fun Trials<*>.againstThemselves(metrics: List<String>): List<SelfComparison> {
    refuseUnless(twice().isNotEmpty()) { "No treatment here has two names: run the experiment's aa(), as in experiment.aa().run()." }
    return selfComparisons(metrics)
}

/** Every treatment with two names, compared with itself by each of its [metrics]. */
internal fun Trials<*>.selfComparisons(metrics: List<String> = COMPARED.toList()): List<SelfComparison> {
    val pairs = twice().flatMap { (treatment, names) ->
        val (first, second) = names.sortedBy { it[Factor.ALIAS].orEmpty() }
        metrics.map { Triple(treatment, it, first.values(it) to second.values(it)) }
    }
    val rows = pairs.filter { (_, _, values) -> values.first.isNotEmpty() && values.second.isNotEmpty() }
    val ratios = Holm.ratios(rows.map { it.third })
    val differences = Holm.differences(rows.map { it.third })
    return rows.mapIndexed { row, (treatment, metric, _) -> SelfComparison(treatment, metric, ratios[row], differences[row]) }
}

/** The treatments that were measured twice, without their aliases, each with its trials under both names. */
private fun Trials<*>.twice(): Map<Treatment, List<TreatmentTrials>> =
    everyTreatment().groupBy { it.treatment.without(Factor.ALIAS) }.filterValues { it.size == 2 }

/**
 * How far the treatments that this run measured twice ([Experiment.twice]) differ from themselves in [metric], as ratios, or as
 * [differences]: up to the farthest end of any of their intervals, corrected by Holm for all of them. Null if the run measured none twice.
 */
internal fun Trials<*>.ownFloor(metric: String, differences: Boolean = false): NoiseFloor? {
    val pairs = twice()
        .values
        .map { names -> names.map { it.values(metric) }.let { (one, other) -> one to other } }
        .filter { (one, other) -> one.isNotEmpty() && other.isNotEmpty() }
    if (pairs.isEmpty()) return null
    val from = "the same run, ${pairs.size} of its treatments twice"
    return if (differences) NoiseFloor.ofDifferences(Holm.differences(pairs), from) else NoiseFloor.ofRatios(Holm.ratios(pairs), from)
}

/** The noise of ratios of [metric]: that of this run itself, or if it measured nothing twice, that of the A/A runs of [workload]. */
public fun Trials<*>.ratioFloor(workload: KClass<out Workload>, metric: String): NoiseFloor? =
    ownFloor(metric) ?: NoiseFloors.ratio(workload, metric)

/** The noise of differences of [metric], likewise. */
public fun Trials<*>.differenceFloor(workload: KClass<out Workload>, metric: String): NoiseFloor? =
    ownFloor(metric, differences = true) ?: NoiseFloors.difference(workload, metric)

/** The metrics that articles compare treatments by: of time, of processor time and memory, and counts. */
internal val COMPARED: Array<String> =
    """
    durationMs durationAgainMs latencyP50Ms latencyP99Ms latencyMaxMs sentLatencyP99Ms snapshotAtMs queuedMaxMs connectMaxMs
    servedP50Ms servedMaxMs readingMaxMs baseLatencyMs iterationMedianMs requestsPerSecond throughputMiBs
    cpuSeconds cpuShare machineShare requestCpuMs cpuSecondsPerMiB allocatedBytes requestAllocatedBytes allocatedBytesPerMiB
    rssBytes anonPeakBytes memoryGrowthBytes heapGrowthBytes residentGrowthBytes
    inFlightPeak batches connectionsOpened connectionsOpenedAgain requestsHttp1 threadsBlocked threadsNew threadsUnparked
    activeNew activeUnparkedNew threadsLeft threadsAdded osThreads osThreadsPeak answeredShare socketsLeft
    """.trim().split(Regex("\\s+")).toTypedArray()

/**
 * The noise floors of the published A/A runs, by workload and metric: how far a treatment differs from itself in runs of
 * [clientlab.Experiment.aa]. A floor reaches to the farthest end of any treatment's interval, corrected by Holm for all comparisons.
 *
 * A run counts by its folder's name: `aa-2026-11`, or the name of any experiment with `-aa` behind, as in `tasks-aa-2026-11`. A floor
 * belongs to its workload alone, because a metric of the same name differs between workloads. Of several runs of one workload the widest
 * floor counts.
 */
public object NoiseFloors {
    private val read = ConcurrentHashMap<Path, Pair<KClass<out Workload>, List<SelfComparison>>>()

    /** The floor of ratios of [metric], or null if no published run has one. */
    public fun ratio(workload: KClass<out Workload>, metric: String): NoiseFloor? =
        of(workload, metric)?.let { (from, all) -> NoiseFloor.ofRatios(all.map { it.ratio }, from) }

    /** The floor of differences of [metric], in its unit, or null if no published run has one. */
    public fun difference(workload: KClass<out Workload>, metric: String): NoiseFloor? =
        of(workload, metric)?.let { (from, all) -> NoiseFloor.ofDifferences(all.map { it.difference }, from) }

    /** Every workload and metric with a floor. */
    internal fun known(): List<Pair<KClass<out Workload>, String>> =
        runs().flatMap { folder -> comparisons(folder).let { (workload, all) -> all.map { workload to it.metric } } }.distinct()

    private fun of(workload: KClass<out Workload>, metric: String): Pair<String, List<SelfComparison>>? {
        val runs = runs().filter { comparisons(it).first == workload }
        val all = runs.flatMap { comparisons(it).second }.filter { it.metric == metric }
        return if (all.isEmpty()) null else runs.joinToString { it.name } to all
    }

    /** Published data never change, so each run is read once. */
    private fun comparisons(folder: Path) =
        read.computeIfAbsent(folder.toAbsolutePath()) {
            val run = RunFolder(folder)
            run.manifest.experiment.workload::class to run.frame().selfComparisons()
        }

    private fun runs(): List<Path> {
        return LabHome.allPublished.flatMap { it.entries() }.filter { it.isDirectory() && NAME.matches(it.name) }.sorted()
    }

    private val NAME = Regex("(.+-)?aa-\\d{4}-\\d{2}[a-z]?")
}

/**
 * How far a treatment differs from itself on the machine of the published A/A runs (their manifests describe it), one row per workload and
 * metric. A difference between two treatments that is not larger is noise. For all metrics, or for [metrics].
 */
public fun noiseFloors(vararg metrics: String): AnyFrame {
    val known = NoiseFloors.known().filter { (_, metric) -> metrics.isEmpty() || metric in metrics }
    val ratios = known.map { (workload, metric) -> NoiseFloors.ratio(workload, metric) }
    return dataFrameOf(
        known.map { (workload, _) -> workload.simpleName.orEmpty() }.toColumn("workload"),
        known.map { it.second }.toColumn("metric"),
        ratios.map { it?.toString().orEmpty() }.toColumn("ratioOfTheSame"),
        known.map { (workload, metric) -> NoiseFloors.difference(workload, metric)?.toString().orEmpty() }.toColumn("differenceOfTheSame"),
        ratios.map { it?.from.orEmpty() }.toColumn("data"),
    )
}
