package clientlab.articles.latency

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.openloop.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import kotlin.math.roundToInt

/**
 * The capacity of each client under an open loop: the lowest rate at which it falls behind, the most answers per second at any rate, with
 * their interval, and half of that. If a client falls behind at no rate, its capacity may be larger.
 */
public fun Trials<OpenLoop>.mostAnswered(): AnyFrame {
    val clients = byTreatment().groupBy { it.client }.filterValues { groups -> groups.any { it.counted.isNotEmpty() } }
    return dataFrameOf(
        clients.keys.toColumn("client"),
        clients.values.map { fallsBehindAt(it)?.toString() ?: "nowhere" }.toColumn("fallsBehindAt"),
        clients.values.map { mostAnswered(it).toString() }.toColumn("mostAnsweredPerSecond"),
        clients.values.map { (mostAnswered(it).value / 2).roundToInt() }.toColumn("halfOfMost"),
    ).from(this)
}

/** Planned requests per second, or 0 if the treatment has no rate. */
internal fun TreatmentTrials.rate(): Int = number(Factor.RATE)?.toInt() ?: 0

/** Whether at least 95 % of the planned requests per second were answered; below that the client is saturated. */
internal fun TreatmentTrials.keepsUp(): Boolean = median(ANSWERED).value >= rate() * KEEPS_UP

/**
 * The lowest rate of [ofOneClient] at which fewer are answered than sent, or for which no trial counts; null if the client keeps up at all
 * rates.
 */
internal fun fallsBehindAt(ofOneClient: List<TreatmentTrials>): Int? = ofOneClient.filterNot { it.keepsUp() }.minOfOrNull { it.rate() }

/** The most answers per second at any rate: the client's own limit if it falls behind, otherwise the highest rate. */
internal fun mostAnswered(ofOneClient: List<TreatmentTrials>): Estimate =
    ofOneClient.filter { it.counted.isNotEmpty() }.map { it.median(ANSWERED) }.maxByOrNull { it.value } ?: Bootstrap.median(emptyList())

private const val ANSWERED = "requestsPerSecond"
private const val KEEPS_UP = 0.95
