package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * The drift of a metric from round to round, in one treatment of one run.
 *
 * @property label the levels that distinguish the treatment from the others of the run.
 * @property values of the trials that count, by round.
 * @property p the p-value of no drift; [holm] the same, corrected for all treatments of the run.
 * @property enough whether so many rounds can show a drift at all, with so many other treatments.
 */
public class TreatmentDrift internal constructor(
    public val run: String,
    public val treatment: Treatment,
    public val label: String,
    public val values: Map<Int, Double>,
    public val p: Double,
    public val holm: Double,
    public val enough: Boolean,
) {
    /** The value that gives its colour in a figure. */
    public val subject: String get() = treatment.subject

    /** From the first round to the last, in percent. */
    public val change: Estimate by lazy { Drift.change(values) }

    /** Whether it drifts: significant at [LEVEL] for all treatments of the run together. */
    public val drifts: Boolean get() = holm < LEVEL

    public companion object {
        /** The share of runs without any drift in which a drift is reported nevertheless. */
        public const val LEVEL: Double = 0.05
    }
}

/** How [metric] drifts in each treatment of each run, in the order of tables; fewer than two trials that count are left out. */
public fun Trials<*>.drifts(metric: String): List<TreatmentDrift> {
    refuseUnless(metric in columnNames()) { "These trials have no metric '$metric'; dictionary() lists those there are." }
    return runs().flatMap { run -> filter { this["run"] == run }.driftsOfRun(run, metric) }
}

private fun Trials<*>.driftsOfRun(run: String, metric: String): List<TreatmentDrift> {
    val groups = byTreatment()
    val varied = Factor.all.filter { factor -> groups.map { it[factor] }.distinct().size > 1 }.ifEmpty { listOf(Factor.CLIENT) }
    val byRound = groups.map { group -> group to group.counted.mapNotNull { row -> row.metric(metric)?.let { row.round to it } }.toMap() }
    val taken = byRound.filter { (_, values) -> values.size > 1 }
    val p = taken.map { (_, values) -> Drift.p(values) }
    val holm = Holm.adjusted(p)
    return taken.mapIndexed { at, (group, values) ->
        TreatmentDrift(
            run = run,
            treatment = group.treatment,
            label = Treatment(group.treatment.levels.filterKeys { it in varied }).toString().ifEmpty { group.treatment.toString() },
            values = values,
            p = p[at],
            holm = holm[at],
            enough = Drift.smallestP(values.size) * taken.size < TreatmentDrift.LEVEL,
        )
    }
}

/**
 * Whether [metric] drifts from round to round: one row per treatment with its change from the first to the last round in percent and its
 * interval, p by permutation of the rounds, and p by Holm for all treatments of the run. The last row is for all treatments together, which
 * can show a drift of the machine that no single treatment shows.
 *
 * `drifts` is `yes` if Holm's p is below 0.05, and `too few rounds` if no p could be. Fails for an unknown metric.
 */
public fun Trials<*>.drift(metric: String = "durationMs"): AnyFrame {
    val runs = drifts(metric).groupBy { it.run }
    val rows = runs.flatMap { (run, of) -> of.map { DriftRow(it) } + together(run, of) }
    val columns = listOf(
        rows.map { it.treatment }.toColumn("treatment"),
        rows.map { it.n }.toColumn("n"),
        rows.map { it.change }.toColumn("changePercent"),
        rows.map { it.p }.toColumn("p"),
        rows.map { it.holm }.toColumn("pHolm"),
        rows.map { it.drifts }.toColumn("drifts"),
    )
    return dataFrameOf(if (runs.size > 1) listOf(rows.map { it.run }.toColumn("run")) + columns else columns).from(this)
}

private class DriftRow(
    val run: String,
    val treatment: String,
    val n: Int,
    val change: String,
    val p: Double,
    val holm: Double?,
    val drifts: String,
) {
    constructor(of: TreatmentDrift) :
        this(of.run, of.label, of.change.n, changeInWords(of.change), of.p, of.holm, answer(of.drifts, of.enough))
}

/** All treatments of one run together; the change is that of the median treatment, and n is the number of rounds. */
private fun together(run: String, of: List<TreatmentDrift>): DriftRow {
    val p = Drift.together(of.map { it.values })
    val rounds = of.flatMap { it.values.keys }.distinct().size
    val changes = of.map { it.change.value }.filter { it.isFinite() }.sorted()
    val enough = Drift.smallestP(rounds) < TreatmentDrift.LEVEL
    val middle = changes.getOrNull(changes.size / 2) ?: Double.NaN
    return DriftRow(run, "all together", rounds, signed(middle), p, null, answer(p < TreatmentDrift.LEVEL, enough))
}

private fun answer(drifts: Boolean, enough: Boolean) = if (drifts) {
    "yes"
} else if (enough) {
    "no"
} else {
    "too few rounds"
}

/** `+3.1 [1.2, 5.0]`, or the change alone if there are too few rounds for an interval. */
internal fun changeInWords(change: Estimate): String =
    signed(change.value) + if (change.low.isNaN()) "" else " [${Estimate.rounded(change.low)}, ${Estimate.rounded(change.high)}]"

private fun signed(percent: Double) = if (percent > 0) "+${Estimate.rounded(percent)}" else Estimate.rounded(percent)

/** A sentence for each treatment whose [metric] drifts, and one if all together drift; none if the trials lack that metric. */
internal fun Trials<*>.driftWarnings(metric: String): List<String> {
    if (metric !in columnNames()) return emptyList()
    return drifts(metric).groupBy { it.run }.flatMap { (run, of) ->
        val all = together(run, of)
        val together = "$metric drifts over all treatments together, that in the middle by ${all.change} % from first to last round."
        of.filter { it.drifts }.map { "${it.label}: $metric drifts by ${changeInWords(it.change)} % from first to last round." } +
            listOfNotNull(together.takeIf { all.drifts == "yes" })
    }
}
