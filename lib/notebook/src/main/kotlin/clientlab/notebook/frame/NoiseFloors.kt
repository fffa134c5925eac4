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

    private fun runs(): List<Path> =
        LabHome.published
            .takeIf { it.exists() }
            ?.listDirectoryEntries()
            .orEmpty()
            .filter { it.isDirectory() && NAME.matches(it.name) }
            .sorted()

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
