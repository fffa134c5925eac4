package clientlab.articles

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.AnyRow
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.rows
import java.util.Locale

internal typealias AnyTrial = DataRow<TrialRow<*>>

/** The first treatment of [client] [where] something holds. If there is none, it has no trials, so that a claim about it stays open. */
internal fun Trials<*>.of(client: String, where: (TreatmentTrials) -> Boolean = { true }): TreatmentTrials =
    byTreatment().firstOrNull { it.client == client && where(it) } ?: TreatmentTrials(Treatment(Factor.CLIENT to client), emptyList())

internal fun Trials<*>.of(client: String, factor: String, level: String): TreatmentTrials = of(client) { it[factor] == level }

internal fun TreatmentTrials.part(words: String, bound: Bound, values: List<Double>, floor: NoiseFloor? = null): Part =
    Part.median(client, words, bound, values, floor)

internal fun TreatmentTrials.part(words: String, bound: Bound, metric: String): Part = part(words, bound, values(metric))

internal fun exactly(number: Number): Bound = Bound(number.toDouble(), number.toDouble())

/** [metric] divided by [other], one value per fork. */
internal fun TreatmentTrials.ratios(metric: String, other: String): List<Double> =
    counted.mapNotNull { row -> row.metric(other)?.takeIf { it != 0.0 }?.let { by -> row.metric(metric)?.div(by) } }

/** The time [metric] divided by the server's delay, one value per fork. */
internal fun TreatmentTrials.timesInDelays(metric: String = "durationMs"): List<Double> = ratios(metric, "delayMs")

/** The values of [metric] by round. */
internal fun TreatmentTrials.byRound(metric: String): Map<Int, Double> =
    counted.mapNotNull { row -> row.metric(metric)?.let { row.round to it } }.toMap()

/** Each of [trials] with that of [others] in the same round, so that the state of the machine affects both alike. */
internal fun pairs(trials: List<AnyTrial>, others: List<AnyTrial>): List<Pair<AnyTrial, AnyTrial>> {
    val byRound = others.associateBy { it.round }
    return trials.mapNotNull { trial -> byRound[trial.round]?.let { trial to it } }
}

/** One value per round that has both: by default [metric] of [trials] divided by [ofOther] of [others]. */
internal fun perRound(
    trials: List<AnyTrial>,
    others: List<AnyTrial>,
    metric: String,
    ofOther: String = metric,
    combine: (Double, Double) -> Double? = { a, b -> a / b },
): List<Double> = pairs(trials, others).mapNotNull { (trial, other) ->
    trial.metric(metric)?.let { a -> other.metric(ofOther)?.let { b -> combine(a, b) } }
}

/** The counted trial whose [metric] is in the middle. */
internal fun TreatmentTrials.middleTrial(metric: String): AnyTrial? = counted.sortedBy { it.metric(metric) }.getOrNull(counted.size / 2)

/** The rows of the table that stands in the column [name]. */
internal fun AnyRow.table(name: String): List<AnyRow> = (this[name] as AnyFrame?)?.rows()?.toList().orEmpty()

/** An estimate in a table, or [none] if no trial has it. */
internal fun Estimate.shown(none: String = "none"): String = if (n == 0) none else toString()

/** A number with commas: 10,000. */
internal fun withCommas(number: Number): String = "%,d".format(Locale.ROOT, number.toLong())
