package clientlab.articles.latency

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.openloop.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import kotlin.math.roundToInt

/**
 * The capacity of each client under an open loop: the lowest rate at which it falls behind, the most answers per second at any rate, with
 * their interval, and half of that. If a client falls behind at no rate, its capacity may be larger.
 */
public fun Trials<OpenLoop>.mostAnswered(): AnyFrame =
    byTreatment()
        .groupBy { it.client }
        .values
        .filter { groups -> groups.any { it.counted.isNotEmpty() } }
        .toDataFrame {
            "client" from { it.first().client }
            "fallsBehindAt" from { fallsBehindAt(it)?.toString() ?: "nowhere" }
            "mostAnsweredPerSecond" from { mostAnswered(it).toString() }
            "halfOfMost" from { (mostAnswered(it).value / 2).roundToInt() }
        }.from(this)

/** Planned requests per second, or 0 if the treatment has no rate. */
internal fun TreatmentTrials.rate(): Int = number(Factor.RATE)?.toInt() ?: 0

/**
 * The lowest rate of [ofOneClient] at which less than 95 % of the planned requests are answered, or for which no trial counts; null if the
 * client keeps up at all rates.
 */
internal fun fallsBehindAt(ofOneClient: List<TreatmentTrials>): Int? =
    ofOneClient.filterNot { it.median(ANSWERED).value >= it.rate() * KEEPS_UP }.minOfOrNull { it.rate() }

/** The most answers per second at any rate: the client's own limit if it falls behind, otherwise the highest rate. */
internal fun mostAnswered(ofOneClient: List<TreatmentTrials>): Estimate =
    ofOneClient.filter { it.counted.isNotEmpty() }.map { it.median(ANSWERED) }.maxByOrNull { it.value } ?: Bootstrap.median(emptyList())

private const val ANSWERED = "requestsPerSecond"
private const val KEEPS_UP = 0.95
