package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.journal.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.distinct
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.jetbrains.kotlinx.dataframe.api.toList

/** The trials of one treatment. */
public class TreatmentTrials(public val treatment: Treatment, public val rows: List<DataRow<TrialRow<*>>>) {
    /** The client of the treatment, or an empty text if it has none. */
    public val client: String get() = treatment.client.orEmpty()

    /** Requests sent at once, or 0 if the treatment has no such factor. */
    public val inFlight: Int get() = number(Factor.IN_FLIGHT)?.toInt() ?: 0

    /** `warm` or `cold`; `warm` if the treatment has no such factor. */
    public val start: String get() = treatment[Factor.START] ?: "warm"

    /** The trials that count: the complete ones, or the waves if all valid trials are waves. */
    public val counted: List<DataRow<TrialRow<*>>> = rows
        .filter {
            it.outcome == "complete"
        }.ifEmpty { rows.filter { it.outcome == "wave" } }

    /** Whether the trials that count are waves. Then they must not be compared at the requested level. */
    public val wave: Boolean get() = counted.isNotEmpty() && counted.all { it.outcome == "wave" }

    /** The level of [factor] as a text, or null if the treatment has none. */
    public operator fun get(factor: String): String? = treatment[factor]

    /** The level of [factor] as a number, or null if the treatment has none. */
    public fun number(factor: String): Long? = treatment[factor]?.toLongOrNull()

    /** The values of [metric], one per fork that counts. */
    public fun values(metric: String): List<Double> = counted.mapNotNull { it.metric(metric) }

    /** The median of [metric] with its interval over forks. */
    public fun median(metric: String): Estimate = Bootstrap.median(values(metric))
}

/** These trials by treatment: clients in the order of the catalogue, numbers by size, other levels alphabetically. */
public fun Trials<*>.byTreatment(): List<TreatmentTrials> {
    // It works by columns, because asking each of a hundred thousand rows for its factors by name takes a second.
    val factors = LEVELS.filter { it in columnNames() }
    val columns = factors.map { this[it] }
    return rows()
        .groupBy { row -> columns.map { it[row.index()] } }
        .map { (levels, rows) ->
            val there = factors.zip(levels).mapNotNull { (factor, level) -> level?.let { factor to it } }
            TreatmentTrials(Treatment(*there.toTypedArray()), rows)
        }.sortedWith(ORDER)
}

/** The treatments of which a trial counts, in the order of [byTreatment]. */
public fun Trials<*>.counted(): List<TreatmentTrials> = byTreatment().filter { it.counted.isNotEmpty() }

/**
 * A row for each treatment: its levels, how many forks count and how they ended, then the medians of [metrics] with 95 % bootstrap
 * intervals over forks, and why trials are invalid where any is. Without [metrics] they are those that its workload is about. Metrics in
 * bytes are shown in MB. Where the first metric of a treatment drifts from round to round, a column says by how much, in percent from the
 * first round to the last; [drift] has the test.
 */
public fun Trials<*>.summary(vararg metrics: String): AnyFrame {
    val all = byTreatment()
    val asked = metrics.toList().ifEmpty { usual(all) }
    val factors = Factor.all.filter { factor -> all.any { it[factor] != null } && (factor !in CONDITIONS || varies(all, factor)) }
    return dataFrameOf(
        factors.map { factor -> levels(all, factor) } +
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
    val because =
        all.map { group ->
            val reasons = group.rows
                .filter { it.outcome == "invalid" }
                .map { "${it["reasons"]}" }
                .filter(String::isNotEmpty)
                .distinct()
            val more = if (reasons.size > 1) " (notes() has ${reasons.size - 1} more)" else ""
            reasons.firstOrNull().orEmpty() + more
        }
    return if (because.all(String::isEmpty)) null else because.toColumn("invalidBecause")
}

/** A column about the treatments whose [metric] drifts; none if no treatment drifts. */
private fun Trials<*>.drifting(all: List<TreatmentTrials>, metric: String?): AnyCol? {
    if (metric == null || metric !in columnNames()) return null
    val drifting = drifts(metric).filter { it.drifts }.groupBy { it.treatment }
    if (drifting.isEmpty()) return null
    return all
        .map { group -> drifting[group.treatment].orEmpty().joinToString { "${changeInWords(it.change)} %" } }
        .toColumn("${metric}Drift")
}

private fun levels(all: List<TreatmentTrials>, factor: String): AnyCol =
    if (all.all { it.number(factor) != null }) {
        all.map { it.number(factor) }.toColumn(factor)
    } else {
        all.map { it[factor].orEmpty() }.toColumn(factor)
    }

/** Whether a factor that is mostly constant varies here. */
private fun varies(all: List<TreatmentTrials>, factor: String): Boolean {
    val levels = all.map { it[factor] }.distinct()
    return levels.size > 1 || (factor == Factor.START && levels.single() != "warm")
}

private fun estimate(group: TreatmentTrials, metric: String): String {
    val scale = if (metric.endsWith(BYTES)) 1e-6 else 1.0
    val estimate = Bootstrap.median(group.values(metric).map { it * scale })
    return if (estimate.n == 0) "none" else estimate.toString()
}

private fun shown(metric: String) = if (metric.endsWith(BYTES)) metric.removeSuffix(BYTES) + "MB" else metric

private fun DataRow<TrialRow<*>>.treatment(): Treatment {
    val there = LEVELS.filter { it in df().columnNames() }
    return Treatment(*there.mapNotNull { factor -> this[factor]?.let { factor to it } }.toTypedArray())
}

/**
 * Notes about these trials: first about whole runs with an unsettled machine or a drift, then about trials that are not complete or have a
 * warning.
 */
public fun Trials<*>.notes(): AnyFrame {
    val left = filter { outcome != "complete" || (this["warnings"] as String).isNotEmpty() }.rows()
    val whole =
        runs().mapNotNull { RunFolder.find(it) }.flatMap { it.manifest.findings() }.map { it.sentence } + driftWarnings("durationMs")
    return dataFrameOf(
        (whole.map { "all" } + left.map { it.treatment().toString() }).toColumn("treatment"),
        (whole.map { null } + left.map { it.round }).toColumn("round"),
        (whole.map { "" } + left.map { it.outcome }).toColumn("outcome"),
        (whole + left.map { "${it["reasons"]} ${it["warnings"]}".trim() }).toColumn("because"),
    ).from(this)
}

/** The ids of the runs of these trials. */
public fun Trials<*>.runs(): List<String> = this["run"].distinct().toList().map { it.toString() }

private fun outcomes(group: TreatmentTrials): String {
    val counts = group.rows.groupingBy { it.outcome }.eachCount()
    if (counts.keys.singleOrNull() == "wave") {
        val held = group
            .values("inFlightPeak")
            .map { it.toInt() }
            .distinct()
            .sorted()
        return "wave of ${held.joinToString("–")}"
    }
    return counts.keys.singleOrNull() ?: counts.entries.sortedBy { it.key }.joinToString { "${it.value} ${it.key}" }
}

private val ORDER: Comparator<TreatmentTrials> =
    Comparator
        .comparingInt<TreatmentTrials> { ClientOrder.of(it.client) }
        .thenBy(ClientOrder.byVersion) { it.client }
        .let { Factor.all.fold(it) { order, factor -> order.thenComparing(byLevel(factor)) } }

private fun byLevel(factor: String): Comparator<TreatmentTrials> =
    compareBy<TreatmentTrials> { it.number(factor) ?: Long.MAX_VALUE }.thenBy { it[factor].orEmpty() }

/** The columns that are levels of a treatment. The version is not one, because the client's id has it. */
private val LEVELS = Factor.all - Factor.VERSION
private val CONDITIONS = setOf(Factor.DELAY_MS, Factor.PROTOCOL, Factor.START)
private val BURST_METRICS = listOf("durationMs", "threadsBlocked", "activeUnparkedNew", "threadsNew", "rssBytes")
private val OTHER_METRICS = listOf("heldInFlight", "answeredShare", "latencyP50Ms", "latencyP99Ms", "requestCpuMs", "osThreads")
private const val BYTES = "Bytes"
