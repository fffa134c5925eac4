package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.stats.*
import clientlab.probe.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.explode
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.select
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.jetbrains.kotlinx.dataframe.api.ungroup

public const val SERIES: String = "series"
internal const val SHAPE: String = "shape"
internal const val STEADY_AFTER_MS: String = "steadyAfterMs"

/**
 * The loads over time: one row per trial and interval, with the trial's run, round, treatment and outcome. `second` is the end of the
 * interval since the series began. `warmUp` is true for intervals before the measured load. Columns such as `compilersProcessors` say how
 * many processors a kind of thread kept busy; a value that was not taken is null. Fails if no trial has a series.
 */
public fun Trials<*>.series(): AnyFrame {
    requireSeries()
    val names = listOf("run", "round") + levelColumns().map { it.name() } + listOf("outcome", SERIES)
    return select(*names.toTypedArray()).explode(SERIES).ungroup(SERIES).from(this)
}

/**
 * The shapes of the series, one row per treatment: how many trials are flat, warm up, slow down or reach no steady state (E. Barrett et
 * al., 2017), then the median time until the series is steady, in seconds since it began, with its interval over forks. A trial that is
 * not steady counts with the length of its series, so the time then says `at least`. Fails if no trial has a series.
 */
public fun Trials<*>.shapes(): AnyFrame {
    requireSeries()
    val all = byTreatment()
    val shapes = all.map { group -> group.valid.mapNotNull { it.shape() } }

    fun counted(name: String, shape: String) = shapes.map { of -> of.count { it == shape } }.toColumn(name)
    val short = all.zip(shapes) { group, of -> group.valid.size - of.size }
    return dataFrameOf(
        treatmentColumns(all) +
            listOf(
                shapes.map { it.size }.toColumn("n"),
                counted("flat", "flat"),
                counted("warmUp", "warm-up"),
                counted("slowdown", "slowdown"),
                counted("noSteadyState", NO_STEADY_STATE),
                all.map { untilSteady(it) }.toColumn("steadyAfterSeconds"),
            ) + listOfNotNull(short.toColumn("tooShort").takeIf { short.any { it > 0 } }),
    ).from(this)
}

private fun untilSteady(group: TreatmentTrials): String {
    val estimate = Bootstrap.median(group.valid.mapNotNull { it.secondsUntilSteady() })
    val atLeast = if (group.valid.any { it.shape() == NO_STEADY_STATE }) "at least " else ""
    return if (estimate.n == 0) "none" else "$atLeast$estimate"
}

/**
 * The seconds from the beginning of this trial's series until it is steady. If it is never steady, the length of the series, which is the
 * least that it takes. Null if the trial has no series, or one that is too short to tell.
 */
public fun DataRow<TrialRow<*>>.secondsUntilSteady(): Double? {
    if (shape() == null) return null
    return metric(STEADY_AFTER_MS)?.div(MS) ?: seriesOf("second").lastOrNull()
}

/** The column [name] of this trial's series, one value per interval; empty if the trial has no series. */
public fun DataRow<TrialRow<*>>.seriesOf(name: String): List<Double?> {
    val table = if (SERIES in df().columnNames()) this[SERIES] as AnyFrame? else null
    return if (table == null || name !in table.columnNames()) emptyList() else table[name].values().map { (it as Number?)?.toDouble() }
}

/** The shape of this trial's series; null if it has none, or one that is too short to tell. */
private fun DataRow<TrialRow<*>>.shape(): String? =
    if (SHAPE in df().columnNames()) (this[SHAPE] as String?)?.ifEmpty { null } else null

/** Fails if no trial here has a series. */
internal fun Trials<*>.requireSeries() = refuseUnless(SERIES in columnNames() && rows().any { it.seriesOf("second").isNotEmpty() }) {
    "No trial here has a series over time. Only a run of OpenLoop, ClosedLoop, GatewayLoad or Storm has one, and an old run has none: " +
        "run the experiment again."
}

/** The intervals of [trial] as a nested table; empty if it has no series. */
internal fun seriesTable(trial: Trial): AnyFrame {
    val series = trial.series ?: Series()
    val n = series.endsAt.size

    /** A column without a value for every interval says nothing of which interval a value belongs to. */
    fun <T> List<T?>.whole(): List<T?> = if (size == n) this else List(n) { null }
    val busy = ThreadKind.entries.map { kind -> series.busy(kind.label).whole().toColumn("${kind.label}Processors") }
    return dataFrameOf(
        listOf(
            series.endsAt.map { Math.round(it * MS) / MS }.toColumn("second"),
            List(n) { it < series.warmUp }.toColumn("warmUp"),
            List(n) { series.answers.getOrElse(it) { 0 } }.toColumn("answers"),
            series.p50Ms.whole().toColumn("p50Ms"),
            series.p99Ms.whole().toColumn("p99Ms"),
            series.requestCpuMs.whole().toColumn("requestCpuMs"),
        ) + busy +
            listOf(
                series.allocatedKb.whole().toColumn("allocatedKb"),
                series.collections.whole().toColumn("collections"),
                series.classesLoaded.whole().toColumn("classesLoaded"),
                series.compiledMethods.whole().toColumn("compiledMethods"),
                series.connectionsOpened.whole().toColumn("connectionsOpened"),
            ),
    )
}

/** From when on the series of [trial] is steady, in ms since it began; null if it never is. */
internal fun steadyAfterMs(trial: Trial): Double? =
    trial.series?.let { series -> series.steadyFrom?.let { if (it == 0) 0.0 else Math.round(series.endsAt[it - 1] * MS).toDouble() } }

private const val NO_STEADY_STATE = "no steady state"
private const val MS = 1e3
