package clientlab.articles.latency

import clientlab.Factor
import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.byTreatment
import clientlab.notebook.frame.client
import clientlab.notebook.frame.counted
import clientlab.notebook.frame.from
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn
import kotlin.math.roundToInt

/**
 * How far each client comes under an open loop: the lowest rate at which it falls behind, the most answers a second that it gives at any
 * rate, with their interval, and half of that. A client that falls behind nowhere may have more to give than was asked of it.
 */
public fun Trials.mostAnswered(): AnyFrame {
    val clients = byTreatment().groupBy { it.client }.filterValues { groups -> groups.any { it.counted.isNotEmpty() } }
    return dataFrameOf(
        clients.keys.toColumn("client"),
        clients.values.map { fallsBehindAt(it)?.toString() ?: "nowhere" }.toColumn("fallsBehindAt"),
        clients.values.map { mostAnswered(it).toString() }.toColumn("mostAnsweredPerSecond"),
        clients.values.map { (mostAnswered(it).value / 2).roundToInt() }.toColumn("halfOfMost"),
    ).from(this)
}

/** Requests a second that were planned, or 0 where that is no factor of it. */
internal fun TreatmentTrials.rate(): Int = number(Factor.RATE)?.toInt() ?: 0

/** Whether as many requests a second were answered as were planned, but for one in twenty: what is slower than that is beyond saturation. */
internal fun TreatmentTrials.keepsUp(): Boolean = median(ANSWERED).value >= rate() * KEEPS_UP

/** The lowest rate of [ofOneClient] at which fewer are answered than sent, or of which no trial counts; null where it keeps up. */
internal fun fallsBehindAt(ofOneClient: List<TreatmentTrials>): Int? = ofOneClient.filterNot { it.keepsUp() }.minOfOrNull { it.rate() }

/** The most answers a second that a client gives at any rate: its own limit where it falls behind, and else the highest rate. */
internal fun mostAnswered(ofOneClient: List<TreatmentTrials>): Estimate =
    ofOneClient.filter { it.counted.isNotEmpty() }.map { it.median(ANSWERED) }.maxByOrNull { it.value } ?: Bootstrap.median(emptyList())

private const val ANSWERED = "requestsPerSecond"
private const val KEEPS_UP = 0.95
