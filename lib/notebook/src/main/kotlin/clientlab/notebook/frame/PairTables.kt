package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * All pairs of treatments that differ in [factor] alone, compared by [metric], one row per pair: ratio and difference of their medians with
 * 95 % intervals over forks, Cliff's delta, and the p-value of Mann and Whitney, corrected by Holm for all rows of the table.
 *
 * The intervals are not corrected. In a table with many rows rely on the corrected p-value.
 */
public fun Trials<*>.pairs(metric: String, factor: String = Factor.CLIENT): AnyFrame {
    val groups = byTreatment().filter { it[factor] != null && it.values(metric).isNotEmpty() }.groupBy { it.treatment.without(factor) }
    val pairs = groups.values.flatMap { alike -> alike.flatMapIndexed { place, first -> alike.drop(place + 1).map { first to it } } }
    val values = pairs.map { (first, second) -> first.values(metric) to second.values(metric) }

    fun column(name: String, estimate: (List<Double>, List<Double>) -> Estimate) =
        values.map { (a, b) -> estimate(a, b).toString() }.toColumn(name)
    return dataFrameOf(
        pairs.map { (first, second) -> "${first[factor]} : ${second[factor]}" }.toColumn("pair"),
        pairs.map { (first, _) -> first.treatment.without(factor).toString() }.toColumn("at"),
        column("ratio", Bootstrap::ratio),
        column("difference", Bootstrap::difference),
        column("cliffsDelta", Dominance::cliffsDelta),
        Holm.adjusted(values.map { (a, b) -> Dominance.pValue(a, b) }).map { Estimate.rounded(it) }.toColumn("pByHolm"),
        values.map { (a, b) -> minOf(a.size, b.size) }.toColumn("n"),
    ).from(this)
}
