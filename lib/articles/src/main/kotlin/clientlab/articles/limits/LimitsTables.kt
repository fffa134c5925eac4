package clientlab.articles.limits

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import kotlin.time.Duration

/** The versions of HTTP that the server saw, one row per client and server, with the number of requests over all trials. */
public fun Trials<Burst>.protocols(): AnyFrame {
    val groups = rows().groupBy { it.client to it.level(Factor.SERVER, "delay") }.toSortedMap(compareBy({ it.second }, { it.first }))
    return dataFrameOf(
        groups.keys.map { it.second }.toColumn("server"),
        groups.keys.map { it.first }.toColumn("client"),
        groups.values.map { it.size }.toColumn("trials"),
        groups.values
            .map { rows ->
                rows.map { it["protocolsSeen"].toString() }.distinct().joinToString(" or ")
            }.toColumn("requestsATrial"),
    ).from(this)
}

/**
 * How much longer [slower] takes than [faster] at each level of [by], in milliseconds: the median over rounds of the difference within a
 * round.
 */
public fun Trials<Burst>.betweenClients(slower: String, faster: String, by: String): AnyFrame {
    val levels = byTreatment().mapNotNull { it[by] }.distinct()
    val differences = levels.map { level ->
        val (a, b) = listOf(slower, faster).map { id ->
            byTreatment().firstOrNull { it.client == id && it[by] == level }?.counted.orEmpty().associate {
                it.round to
                    it.metric("durationMs")
            }
        }
        Bootstrap.median(a.mapNotNull { (round, time) -> b[round]?.let { other -> time?.minus(other) } })
    }
    return dataFrameOf(
        levels.toColumn(by),
        differences.map { if (it.n == 0) "none" else it.toString() }.toColumn("msMore"),
        differences.map { it.n }.toColumn("n"),
    ).from(this)
}

/** How many bursts of [client], one after another, take [whole]. */
public fun Trials<Burst>.burstsIn(whole: Duration, client: String): AnyFrame {
    val times = byTreatment().filter { it.client == client }.flatMap { it.values("durationMs") }
    val bursts = Bootstrap.median(times.map { whole.inWholeMilliseconds / it })
    return dataFrameOf(
        listOf(client).toColumn("client"),
        listOf(Bootstrap.median(times).toString()).toColumn("burstMs"),
        listOf(bursts.toString()).toColumn("burstsIn${whole.inWholeSeconds}S"),
        listOf(bursts.n).toColumn("n"),
    ).from(this)
}

/** Times of trials with and without an overflow of an accept queue of the machine, per client. */
public fun Trials<Burst>.byOverflow(): AnyFrame {
    val groups = rows()
        .filter { it.outcome != "invalid" && it.metric(OVERFLOWS) != null }
        .groupBy { it.client to (it.metric(OVERFLOWS)!! > 0) }
        .toSortedMap(compareBy({ ClientOrder.of(it.first) }, { it.first }, { it.second }))

    fun column(name: String, value: (List<DataRow<TrialRow<*>>>) -> Any) = groups.values.map(value).toColumn(name)
    return dataFrameOf(
        groups.keys.map { it.first }.toColumn("client"),
        groups.keys.map { if (it.second) "ran over" else "held" }.toColumn("acceptQueue"),
        column("trials") { it.size },
        column("overflows") { trials -> Estimate.rounded(trials.sumOf { it.metric(OVERFLOWS)!! }) },
        column("durationMs") { trials -> Bootstrap.median(trials.mapNotNull { it.metric("durationMs") }).toString() },
        column("longestMs") { trials -> Estimate.rounded(trials.maxOf { it.metric("durationMs") ?: 0.0 }) },
    ).from(this)
}

private fun DataRow<TrialRow<*>>.level(factor: String, usual: String): String =
    if (factor in df().columnNames()) this[factor]?.toString() ?: usual else usual

private const val OVERFLOWS = "listenOverflows"
