package clientlab.notebook.frame

import clientlab.Factor
import clientlab.Trial
import clientlab.notebook.journal.RunFolder
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataFrame
import org.jetbrains.kotlinx.dataframe.annotations.DataSchema
import org.jetbrains.kotlinx.dataframe.api.cast
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/** The rows of a frame of trials; every metric of the journal is a column of its own beside these. */
@DataSchema
public interface TrialRow {
    public val run: String
    public val round: Int
    public val client: String
    public val inFlight: Int
    public val outcome: String
}

/** A frame with one row a trial: an ordinary DataFrame, of which the type says only what its rows are. */
public typealias Trials = DataFrame<TrialRow>

/** The trials of this run as a frame: the measured ones, complete, waves and invalid, or the warm-ups where [warmups] is true. */
public fun RunFolder.frame(warmups: Boolean = false): Trials = trials().filter { it.warmup == warmups }.toTrials(run)

/**
 * These trials, all of the run [run], as a frame: `run`, `experiment`, `round`, a column a factor, `outcome`, `reasons`, `warnings`,
 * a column a metric (null where a trial does not have it), and as nested tables `threads`, `serverCurve`, `liveCurve`, and what else the
 * trials kept: `iterationTimes` of transfers, `timeline` of single requests.
 */
internal fun List<Trial>.toTrials(run: String): Trials {
    val trials = this
    val factors = Factor.all.filter { factor -> trials.any { it.treatment[factor] != null } }
    val metrics = trials.flatMap { it.metrics.keys }.distinct()
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

private fun threadTable(trial: Trial): AnyFrame =
    dataFrameOf(
        trial.threads.map { it.owner }.toColumn("owner"),
        trial.threads.map { it.doing.label }.toColumn("doing"),
        trial.threads.map { it.count }.toColumn("count"),
    )

private fun iterationTable(points: List<List<Double>>): AnyFrame =
    dataFrameOf(points.map { it[0].toInt() }.toColumn("iteration"), points.map { it[1] }.toColumn("ms"))

private fun curveTable(points: List<List<Double>>, value: String): AnyFrame =
    dataFrameOf(points.map { it[0] }.toColumn("atMs"), points.map { it[1].toInt() }.toColumn(value))
