package clientlab.articles.wire

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** The time in ms of the first request of a session and of the next one, for each round-trip time: medians with their intervals. */
public fun Trials<Burst>.wireTable(): AnyFrame {
    val lines = wired().groupBy { it.client to it[Factor.PROTOCOL] }.toList()
    val rows = lines.flatMap { (key, of) -> listOf(FIRST, NEXT).map { metric -> Triple(key, metric, of.associateBy { it.rttMs }) } }
    val columns = lines.flatMap { (_, of) -> of.map { it.rttMs } }.distinct().sorted()
    return dataFrameOf(
        listOf(
            rows.map { it.first.first }.toColumn("client"),
            rows.map { it.first.second.orEmpty() }.toColumn("protocol"),
            rows.map { if (it.second == FIRST) "first" else "next" }.toColumn("request"),
        ) + columns.map { rtt ->
            rows.map { (_, metric, at) -> at[rtt]?.median(metric)?.shown() ?: "" }.toColumn("at $rtt ms")
        },
    ).from(this)
}
