package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.journal.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * A row for each treatment: its levels, how many forks count and how they ended, then the medians of [metrics] with 95 % bootstrap
 * intervals over forks, and why trials are invalid where any is. Without [metrics] they are those that its workload is about. Metrics in
 * bytes are shown in MB. Where the first metric of a treatment drifts from round to round, a column says by how much, in percent from the
 * first round to the last; [drift] has the test.
 */
public fun Trials<*>.summary(vararg metrics: String): AnyFrame {
    val all = byTreatment()
    val asked = metrics.toList().ifEmpty { usual(all) }
    return dataFrameOf(
        treatmentColumns(all) +
            listOf(all.map { it.counted.size }.toColumn("n"), all.map(::outcomes).toColumn("outcome")) +
            asked.map { metric -> all.map { estimate(it, metric) }.toColumn(shown(metric)) } +
            listOfNotNull(invalid(all), drifting(all, asked.firstOrNull())),
    ).from(this)
}

/** The main metrics of a burst; for trials without a total time those of [OTHER_METRICS] that they have. */
private fun usual(all: List<TreatmentTrials>): List<String> {
    val others = OTHER_METRICS.filter { metric -> all.any { it.values(metric).isNotEmpty() } }
    val timed = all.any { it.values(BURST_METRICS.first()).isNotEmpty() }
    return if (timed || others.isEmpty()) BURST_METRICS else others
}

/** Why trials are invalid: the first reason, and how many others [notes] has; no column where none is. */
private fun invalid(all: List<TreatmentTrials>): AnyCol? {
    val because = all.map { group ->
        val reasons = group.rows
            .filter { it.outcome == "invalid" }
            .map { "${it["reasons"]}" }
            .distinct() - ""
        reasons.firstOrNull().orEmpty() + if (reasons.size > 1) " (notes() has ${reasons.size - 1} more)" else ""
    }
    return if (because.all(String::isEmpty)) null else because.toColumn("invalidBecause")
}

/** A column about the treatments whose [metric] drifts; none if no treatment drifts. */
private fun Trials<*>.drifting(all: List<TreatmentTrials>, metric: String?): AnyCol? {
    if (metric == null || metric !in columnNames()) return null
    val drifting = drifts(metric).filter { it.drifts }.groupBy { it.treatment }
    if (drifting.isEmpty()) return null
    val changes = all.map { group -> drifting[group.treatment].orEmpty().joinToString { "${changeInWords(it.change)} %" } }
    return changes.toColumn("${metric}Drift")
}

private fun estimate(group: TreatmentTrials, metric: String): String {
    val scale = if (metric.endsWith(BYTES)) 1e-6 else 1.0
    val estimate = Bootstrap.median(group.values(metric).map { it * scale })
    return if (estimate.n == 0) "none" else estimate.toString()
}

private fun shown(metric: String) = if (metric.endsWith(BYTES)) metric.removeSuffix(BYTES) + "MB" else metric

/** Notes about whole runs with an unsettled machine, a drift or slow rounds, then about trials that are not complete or have a warning. */
public fun Trials<*>.notes(): AnyFrame {
    val levels = levelColumns()
    val left = rows().filter { it.outcome != "complete" || (it["warnings"] as String).isNotEmpty() }
    val findings = runs().mapNotNull { RunFolder.find(it) }.flatMap { it.manifest.findings() }
    val whole = findings.map { it.sentence } + driftWarnings("durationMs") + slowRoundWarnings()
    return dataFrameOf(
        (whole.map { "all" } + left.map { "${levels.treatmentOf(it)}" }).toColumn("treatment"),
        (whole.map { null } + left.map { it.round }).toColumn("round"),
        (whole.map { "" } + left.map { it.outcome }).toColumn("outcome"),
        (whole + left.map { "${it["reasons"]} ${it["warnings"]}".trim() }).toColumn("because"),
    ).from(this)
}

private fun outcomes(group: TreatmentTrials): String {
    val counts = group.rows.groupingBy { if (it in group.notSteady) "not steady" else it.outcome }.eachCount()
    if (counts.keys.singleOrNull() == "wave") {
        return "wave of ${group.values("inFlightPeak").map { it.toInt() }.toSortedSet().joinToString("–")}"
    }
    return counts.keys.singleOrNull() ?: counts.entries.sortedBy { it.key }.joinToString { "${it.value} ${it.key}" }
}

private val BURST_METRICS = listOf("durationMs", "threadsBlocked", "activeUnparkedNew", "threadsNew", "rssBytes")
private val OTHER_METRICS = listOf("heldInFlight", "answeredShare", "latencyP50Ms", "latencyP99Ms", "requestCpuMs", "osThreads")
private const val BYTES = "Bytes"
