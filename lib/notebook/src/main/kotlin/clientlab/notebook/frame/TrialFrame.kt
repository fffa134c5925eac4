package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.journal.*
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataFrame
import org.jetbrains.kotlinx.dataframe.annotations.DataSchema
import org.jetbrains.kotlinx.dataframe.api.after
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.insert
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** The rows of a frame of trials of the workload [W]. Every metric of the journal is a further column. */
@DataSchema
public interface TrialRow<out W : Workload> {
    public val run: String
    public val round: Int
    public val client: String
    public val inFlight: Int
    public val outcome: String
}

/**
 * A frame with one row per trial, as in `Trials<Burst>`. It is an ordinary DataFrame; the type only names its rows and their workload, so
 * that a figure of threads is not offered for tasks that wait.
 */
public typealias Trials<W> = DataFrame<TrialRow<W>>

/**
 * The trials of this run as a frame: the measured ones (complete, wave and invalid), or the warm-ups if [warmups] is true.
 *
 * If no trial counts, the metrics of the workload are still columns, without numbers, so that a cell that names one works.
 */
public fun RunFolder.frame(warmups: Boolean = false): Trials<*> {
    val trials = trials().filter { it.warmup == warmups }
    val workload = manifest.experiment.workload
    val asked = if (trials.all { it.outcome == Outcome.Invalid }) workload.metrics.map { it.name } else emptyList()
    val frame = trials.toTrials(run, asked)
    val shards = manifest.shards
    if (shards.map { it.machine.copy(load = null, openFiles = null) }.distinct().size < 2) return frame
    val machines = shards.flatMap { shard -> shard.rounds.map { it to shard.machine.cpu + ", shard ${shard.shard}" } }.toMap()
    return frame.insert("machine") { machines[round].orEmpty() }.after("round").cast()
}

/**
 * These trials, all of the run [run], as a frame: `run`, `experiment`, `round`, a column a factor, `outcome`, `reasons`, `warnings`, one
 * column per metric (null if a trial lacks it), and as nested tables `threads`, `serverCurve`, `liveCurve`, and what else the trials kept:
 * `iterationTimes` of transfers, `timeline` of single requests. Metrics that are [asked] for are always columns.
 */
public fun List<Trial>.toTrials(run: String, asked: List<String> = emptyList()): Trials<*> {
    val trials = this
    val factors = Factor.all.filter { factor -> trials.any { it.treatment[factor] != null } }
    val metrics = (trials.flatMap { it.metrics.keys } + asked).distinct()
    val columns: List<AnyCol> =
        buildList {
            add(trials.map { run }.toColumn("run"))
            add(trials.map { it.experiment }.toColumn("experiment"))
            add(trials.map { it.round }.toColumn("round"))
            factors.forEach { factor ->
                val whole = trials.all { it.treatment.levels[factor]?.isString != true }
                add(
                    if (whole) {
                        trials.map { trial -> trial.treatment[factor]?.toInt() }.toColumn(factor)
                    } else {
                        trials.map { trial -> trial.treatment[factor] }.toColumn(factor)
                    },
                )
                if (factor == Factor.CLIENT && trials.any { versionOf(it) != null }) {
                    add(trials.map { versionOf(it) }.toColumn(Factor.VERSION))
                }
            }
            add(trials.map { it.outcome.toString() }.toColumn("outcome"))
            add(trials.map { it.reasons.joinToString(" ") }.toColumn("reasons"))
            add(trials.map { it.warnings.joinToString(" ") }.toColumn("warnings"))
            metrics.forEach { metric -> add(trials.map { it.metrics[metric] }.toColumn(metric)) }
            add(trials.map { it.leaks?.threads?.size ?: 0 }.toColumn("threadsLeft"))
            add(
                trials
                    .map {
                        it.leaks
                            ?.threads
                            .orEmpty()
                            .distinct()
                            .joinToString()
                    }.toColumn("threadsLeftNames"),
            )
            add(trials.map(::protocolsSeen).toColumn("protocolsSeen"))
            add(trials.map(::threadTable).toColumn("threads"))
            add(trials.map { curveTable(it.evidence?.inFlightCurve.orEmpty(), "inFlight") }.toColumn("serverCurve"))
            add(trials.map { curveTable(it.curves["live"].orEmpty(), "live") }.toColumn("liveCurve"))
            PERCENTILE_CURVES
                .filter { (curve, _) ->
                    trials.any { curve in it.curves && it.treatment[Factor.LOOP] != null }
                }.forEach { (curve, column) ->
                    add(trials.map { percentileTable(it.curves[curve].orEmpty()) }.toColumn(column))
                }
            if (trials.any { HELD in it.curves }) {
                add(trials.map(::heldTable).toColumn("heldCurve"))
                add(trials.map(::errorTable).toColumn("errors"))
            }
            if (trials.any { "iterationMs" in it.curves }) {
                add(trials.map { iterationTable(it.curves["iterationMs"].orEmpty()) }.toColumn("iterationTimes"))
            }
            if (trials.any { it.timeline != null }) add(trials.map(::timelineTable).toColumn(TIMELINE))
            GATEWAY_CURVES.filter { (curve, _) -> trials.any { curve in it.curves } }.forEach { (curve, column) ->
                add(trials.map { curveTable(it.curves[curve].orEmpty(), curve) }.toColumn(column))
            }
        }
    return dataFrameOf(columns).cast()
}

/** Curves that only some workloads have, and the columns of their tables. */
private val GATEWAY_CURVES =
    mapOf("memoryMiB" to "memoryCurve", "latencyAtMs" to "latencyCurve", "sentLatencyAtMs" to "sentLatencyCurve")

private fun versionOf(trial: Trial): String? = trial.treatment.client?.let { ClientInfo.versionOf(it) }

private fun threadTable(trial: Trial): AnyFrame =
    dataFrameOf(
        trial.threads.map { it.owner }.toColumn("owner"),
        trial.threads.map { it.state.label }.toColumn("doing"),
        trial.threads.map { it.count }.toColumn("count"),
    )

/** The distributions of latencies, and the columns of their tables. */
private val PERCENTILE_CURVES = mapOf("latencyMs" to "latencyByPercentile", "sentLatencyMs" to "sentLatencyByPercentile")

private fun percentileTable(points: List<List<Double>>): AnyFrame =
    dataFrameOf(points.map { it[0] * PERCENT }.toColumn("percent"), points.map { it[1] }.toColumn("ms"))

private const val PERCENT = 100

/** The curve of an audit's trial: the requests of the load, and how many of them the server had. */
private const val HELD = "held"

private fun heldTable(trial: Trial): AnyFrame =
    trial.curves[HELD].orEmpty().let { points ->
        dataFrameOf(points.map { it[0].toInt() }.toColumn("asked"), points.map { it[1].toInt() }.toColumn("held"))
    }

private fun errorTable(trial: Trial): AnyFrame =
    dataFrameOf(
        trial.errors.keys
            .toList()
            .toColumn("kind"),
        trial.errors.values
            .toList()
            .toColumn("count"),
    )

private fun iterationTable(points: List<List<Double>>): AnyFrame =
    dataFrameOf(points.map { it[0].toInt() }.toColumn("iteration"), points.map { it[1] }.toColumn("ms"))

private fun curveTable(points: List<List<Double>>, value: String): AnyFrame =
    dataFrameOf(points.map { it[0] }.toColumn("atMs"), points.map { it[1].toInt() }.toColumn(value))
