package clientlab.articles.threads

import clientlab.articles.*
import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/** The count that source 000 reports, new threads that are not parked, per client. */
public fun Trials<Burst>.parkRuleChart(): Chart {
    val groups = measured()
    val fooled = groups.filter { it.median(UNPARKED).value < 0.5 * it.median("threadsBlocked").value }.map { it.client }.distinct()
    val title = when {
        fooled.isEmpty() -> groups.headline("Here the article's rule counts what requests hold")
        else -> "The article's rule misses the threads that ${listed(fooled)} holds"
    }
    return clientsPanels(groups, UNPARKED, "new threads that are not parked (the article's rule)", title, title)
}

/** Time from the first request sent to the last body read, in delays, per client. */
public fun Trials<Burst>.timeChart(): Chart {
    val groups = measured()
    val times = groups.map { it to it.inDelays() }
    val slow = times.filter { (_, time) -> time.value > SLOW }.map { (group) -> "${group.client} at ${group.inFlight}" }
    val title = when {
        slow.isEmpty() -> groups.headline("Every client${groups.measuredHere} needs about one delay")
        slow.size <= NAMED -> "${listed(slow)} ${if (slow.size == 1) "needs" else "need"} more than $SLOW delays, the rest about one"
        else -> "${slow.size} of ${groups.size} treatments need more than $SLOW delays"
    }
    return clientsChart(
        groups,
        title,
        "$title. ${times.joinToString("; ") { (group, time) -> "${group.client} at ${group.inFlight}: $time" }}.",
        NumberAxis("time for all requests, in delays (1 = the server's own)", metric = "durationMs", unit = "delays"),
        trials = ChartData.ofRows(groups.flatMap { group -> group.times { it / group.delayMs() } }),
        estimates = ChartData.ofRows(times.map { (group, time) -> group.burstRow(time) }),
        behind = listOf(ReferenceLines.atX(1)),
    )
}

/** The distance of single trials from the median of their treatment, per client: the possible error of one fork. */
public fun Trials<Burst>.varianceChart(): Chart {
    val groups = measured().only { it.counted.size > 1 }
    val rows = groups.flatMap { group ->
        val middle = group.median("durationMs").value
        group.times { 100 * (it - middle) / middle }
    }
    val farthest = rows.maxByOrNull { abs(it["value"] as Double) }
    val off = abs(farthest?.get("value") as Double? ?: 0.0)
    val title = when (farthest) {
        null -> "One fork shows no variance"
        else -> "A single fork lies within ${Estimate.rounded(off)} % of the median of its kind"
    }
    val label = "time against the treatment's median, in %"
    return clientsChart(
        groups,
        title,
        "$title; the farthest is one of ${farthest?.get("client")} at ${farthest?.get("level")}.",
        NumberAxis(label, zero = false, breaks = aroundZero(off), metric = "durationMs", unit = "% from the median"),
        trials = ChartData.ofRows(rows),
        estimates = null,
        behind = listOf(ReferenceLines.atX(0)),
    )
}

private fun TreatmentTrials.times(shown: (Double) -> Double) =
    dots("durationMs") { mapOf("client" to client, "level" to burstLevel(), "value" to shown(it)) }

/** Zero, and plus and minus 1, 2 or 5 times a power of ten well inside [most]: three breaks that do not touch the next panel's. */
private fun aroundZero(most: Double): List<Number> {
    val inside = most * 0.8
    val power = 10.0.pow(floor(log10(inside.coerceAtLeast(1e-3))))
    val step = listOf(5, 2, 1).map { it * power }.first { it <= inside || it == power }
    return listOf(-step, 0.0, step)
}

private const val SLOW = 1.5
private const val NAMED = 2
