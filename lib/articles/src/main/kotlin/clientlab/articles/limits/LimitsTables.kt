package clientlab.articles.limits

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.*

/** The versions of HTTP that the server saw, one row per client and server, with the number of requests over all trials. */
public fun Trials<Burst>.protocols(): AnyFrame =
    rows()
        .groupBy { it.client to it.server }
        .toSortedMap(compareBy({ it.second }, { it.first }))
        .values
        .toDataFrame {
            "server" from { it.first().server }
            "client" from { it.first().client }
            "trials" from { it.size }
            "requestsATrial" from { trials -> trials.map { it["protocolsSeen"].toString() }.distinct().joinToString(" or ") }
        }.from(this)

private val AnyTrial.server: String get() = (if (Factor.SERVER in df().columnNames()) this[Factor.SERVER] else null)?.toString() ?: "delay"

/**
 * How much longer [slower] takes than [faster] at each level of [by], in milliseconds: the median over rounds of the difference within a
 * round.
 */
public fun Trials<Burst>.betweenClients(slower: String, faster: String, by: String): AnyFrame {
    fun difference(level: String): Estimate {
        val (a, b) = listOf(slower, faster).map { of(it, by, level).counted }
        return Bootstrap.median(perRound(a, b, "durationMs") { slow, fast -> slow - fast })
    }
    return byTreatment()
        .mapNotNull { it[by] }
        .distinct()
        .toDataFrame {
            by from { it }
            "msMore" from { difference(it).shown() }
            "n" from { difference(it).n }
        }.from(this)
}

/** Per client: times of trials in which an accept queue overflowed, and times of the others. */
public fun Trials<Burst>.byOverflow(): AnyFrame =
    rows()
        .filter { it.outcome != "invalid" && it.metric(OVERFLOWS) != null }
        .groupBy { it.client to (it.metric(OVERFLOWS)!! > 0) }
        .toSortedMap(compareBy({ ClientOrder.of(it.first) }, { it.first }, { it.second }))
        .toList()
        .toDataFrame {
            "client" from { (of, _) -> of.first }
            "acceptQueue" from { (of, _) -> if (of.second) "ran over" else "held" }
            "trials" from { (_, trials) -> trials.size }
            "overflows" from { (_, trials) -> Estimate.rounded(trials.sumOf { it.metric(OVERFLOWS)!! }) }
            "durationMs" from { (_, trials) -> Bootstrap.median(trials.mapNotNull { it.metric("durationMs") }).toString() }
            "longestMs" from { (_, trials) -> Estimate.rounded(trials.maxOf { it.metric("durationMs") ?: 0.0 }) }
        }.from(this)

private const val OVERFLOWS = "listenOverflows"
