package clientlab.notebook.frame

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * The new platform threads of [client] at [inFlight], by owner and by activity when all requests were in flight: the median over forks with
 * its interval.
 */
public fun Trials<Burst>.threadsOf(client: String, inFlight: Int): AnyFrame {
    val groups = byTreatment().filter { it.client == client && it.inFlight == inFlight }
    refuseUnless(groups.size < 2) { "There are warm and cold trials of $client: filter them by start." }
    val trials = groups.flatMap { it.counted }
    val counts = trials.map { trial ->
        (trial["threads"] as AnyFrame).rows().associate {
            ("${it["owner"]}" to "${it["doing"]}") to
                it["count"] as Int
        }
    }
    val kinds = counts.flatMap { it.keys }.distinct()
    val estimates = kinds.associateWith { kind -> Bootstrap.median(counts.map { (it[kind] ?: 0).toDouble() }) }
    val order = kinds.sortedByDescending { estimates.getValue(it).value }
    return dataFrameOf(
        order.map { it.first }.toColumn("owner"),
        order.map { it.second }.toColumn("doing"),
        order.map { estimates.getValue(it).toString() }.toColumn("threads"),
        order.map { estimates.getValue(it).n }.toColumn("n"),
    ).from(this)
}
