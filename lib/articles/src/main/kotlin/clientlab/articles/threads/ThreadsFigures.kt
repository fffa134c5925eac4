package clientlab.articles.threads

import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.api.rows
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/** The count that source 000 reports, new threads that are not parked, per client. */
public fun Trials<Burst>.parkRuleChart(): Chart {
    val groups = measured()
    val fooled =
        groups.filter { it.median("activeUnparkedNew").value < 0.5 * it.median("threadsBlocked").value }.map { it.client }.distinct()
    val title =
        if (fooled.isEmpty()) {
            groups.headline("Here the article's rule counts what requests hold")
        } else {
            "The article's rule misses the threads that ${listed(fooled)} holds"
        }
    return clientsPanels(groups, "activeUnparkedNew", "new threads that are not parked (the article's rule)", title, title)
}

/** Time from the first request sent to the last body read, in delays, per client. */
public fun Trials<Burst>.timeChart(): Chart {
    val groups = measured()
    val slow = groups.filter { it.inDelays().value > SLOW }.map { "${it.client} at ${it.inFlight}" }
    val title =
        when {
            slow.isEmpty() -> groups.headline("Every client${groups.measuredHere} needs about one delay")
            slow.size <= NAMED -> "${listed(slow)} ${if (slow.size == 1) "needs" else "need"} more than $SLOW delays, the rest about one"
            else -> "${slow.size} of ${groups.size} treatments need more than $SLOW delays"
        }
    val rows = groups.flatMap { group ->
        group.dots("durationMs") { mapOf("client" to group.client, "level" to group.burstLevel(), "value" to it / group.delayMs()) }
    }
    val middles = groups.map { it to it.inDelays() }
    return clientsChart(
        groups,
        title,
        "$title. ${middles.joinToString("; ") { (group, time) -> "${group.client} at ${group.inFlight}: $time" }}.",
        NumberAxis("time for all requests, in delays (1 = the server's own)", metric = "durationMs", unit = "delays"),
        trials = ChartData.ofRows(rows),
        estimates = ChartData.ofRows(middles.map { (group, time) -> group.burstRow(time) }),
        behind = listOf(ReferenceLines.atX(1)),
    )
}

/** The distance of single trials from the median of their treatment, per client: the possible error of one fork. */
public fun Trials<Burst>.varianceChart(): Chart {
    val groups = measured().only { it.counted.size > 1 }
    val rows =
        groups.flatMap { group ->
            val middle = group.median("durationMs").value
            group.dots("durationMs") {
                mapOf("client" to group.client, "level" to group.burstLevel(), "value" to 100 * (it - middle) / middle)
            }
        }
    val farthest = rows.maxByOrNull { abs(it["value"] as Double) }
    val off = abs(farthest?.get("value") as Double? ?: 0.0)
    val title = if (farthest == null) {
        "One fork shows no variance"
    } else {
        "A single fork lies within ${Estimate.rounded(off)} % of the median of its kind"
    }
    return clientsChart(
        groups,
        title,
        "$title; the farthest is one of ${farthest?.get("client")} at ${farthest?.get("level")}.",
        NumberAxis(
            "time against the treatment's median, in %",
            zero = false,
            breaks = aroundZero(off),
            metric = "durationMs",
            unit = "% from the median",
        ),
        trials = ChartData.ofRows(rows),
        estimates = null,
        behind = listOf(ReferenceLines.atX(0)),
    )
}

/**
 * Three breaks that do not touch the next panel's: zero, and plus and minus the largest of 1, 2 or 5 times a power of ten well inside
 * [most].
 */
private fun aroundZero(most: Double): List<Number> {
    val inside = most * 0.8
    val power = 10.0.pow(floor(log10(inside.coerceAtLeast(1e-3))))
    val step = listOf(5, 2, 1).map { it * power }.first { it <= inside || it == power }
    return listOf(-step, 0.0, step)
}

private const val SLOW = 1.5

private const val NAMED = 2
