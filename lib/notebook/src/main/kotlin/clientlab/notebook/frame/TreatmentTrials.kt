package clientlab.notebook.frame

import clientlab.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.distinct
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.jetbrains.kotlinx.dataframe.api.toList

/** The trials of one treatment. */
public class TreatmentTrials(public val treatment: Treatment, public val rows: List<DataRow<TrialRow<*>>>) {
    /** The client of the treatment, or an empty text if it has none. */
    public val client: String get() = treatment.client.orEmpty()

    /** Requests sent at once, or 0 if the treatment has no such factor. */
    public val inFlight: Int get() = number(Factor.IN_FLIGHT)?.toInt() ?: 0

    /** `warm`, `cold` or `steady`; `warm` if the treatment has no such factor. */
    public val start: String get() = treatment[Factor.START] ?: "warm"

    /** The complete trials, or the waves if all valid trials are waves. */
    public val valid: List<DataRow<TrialRow<*>>> =
        rows.filter { it.outcome == "complete" }.ifEmpty { rows.filter { it.outcome == "wave" } }

    /** The valid trials that should be warmed up until they are steady and never were: they say nothing of steady cost. */
    public val notSteady: List<DataRow<TrialRow<*>>> = if (start == "steady") valid.filter { it.metric("steady") == 0.0 } else emptyList()

    /** The trials that count: the valid ones, without those that are [notSteady]. */
    public val counted: List<DataRow<TrialRow<*>>> = if (notSteady.isEmpty()) valid else valid.filterNot { it in notSteady }

    /** Whether the trials that count are waves. Then they must not be compared at the requested level. */
    public val wave: Boolean get() = counted.isNotEmpty() && counted.all { it.outcome == "wave" }

    /** The level of [factor], or null if the treatment has none. */
    public operator fun get(factor: String): String? = treatment[factor]

    public fun number(factor: String): Long? = treatment[factor]?.toLongOrNull()

    /** The values of [metric], one per fork that counts. */
    public fun values(metric: String): List<Double> = counted.mapNotNull { it.metric(metric) }

    /** The median of [metric] with its interval over forks. */
    public fun median(metric: String): Estimate = Bootstrap.median(values(metric))
}

/** The value that gives a treatment its colour in a figure: the client, or what else runs or moves something in it; otherwise empty. */
public val Treatment.subject: String
    get() = listOf(Factor.CLIENT, Factor.EXECUTOR, Factor.MECHANISM, Factor.IO_API).firstNotNullOfOrNull { this[it] }.orEmpty()

/**
 * These trials by treatment: clients in the order of the catalogue, numbers by size, other levels alphabetically. What was measured a
 * second time for the noise ([Experiment.twice]) is left out.
 */
public fun Trials<*>.byTreatment(): List<TreatmentTrials> = everyTreatment().filter { it[Factor.ALIAS] != Experiment.AGAIN }

/** The same, with what was measured a second time. */
internal fun Trials<*>.everyTreatment(): List<TreatmentTrials> {
    // It works by columns, because asking each of a hundred thousand rows for its factors by name takes a second.
    val levels = levelColumns()
    val groups = rows().groupBy { row -> levels.map { it[row.index()] } }.values
    return groups.map { rows -> TreatmentTrials(levels.treatmentOf(rows.first()), rows) }.sortedWith(ORDER)
}

/** The columns that are levels of a treatment. The version is not one, because the client's id has it. */
internal fun Trials<*>.levelColumns(): List<AnyCol> = (Factor.all - Factor.VERSION).filter { it in columnNames() }.map { this[it] }

internal fun List<AnyCol>.treatmentOf(row: DataRow<*>): Treatment =
    Treatment(*mapNotNull { column -> column[row.index()]?.let { column.name() to it } }.toTypedArray())

/** The levels of [all] that a table shows: those of its factors, without conditions that are the same in every row. */
internal fun treatmentColumns(all: List<TreatmentTrials>): List<AnyCol> =
    Factor.all
        .filter { factor -> all.any { it[factor] != null } && (factor !in CONDITIONS || varies(all, factor)) }
        .map { factor -> levels(all, factor) }

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

private val CONDITIONS = setOf(Factor.DELAY_MS, Factor.PROTOCOL, Factor.START)

/** The treatments of which a trial counts, in the order of [byTreatment]. */
public fun Trials<*>.counted(): List<TreatmentTrials> = byTreatment().filter { it.counted.isNotEmpty() }

/** The ids of the runs of these trials. */
public fun Trials<*>.runs(): List<String> = this["run"].distinct().toList().map { it.toString() }

private val ORDER: Comparator<TreatmentTrials> = Factor.all.fold(
    compareBy<TreatmentTrials> { ClientOrder.of(it.client) }.thenBy(ClientOrder.byVersion) { it.client },
) { order, factor -> order.then(byLevel(factor)) }

private fun byLevel(factor: String): Comparator<TreatmentTrials> =
    compareBy<TreatmentTrials> { it.number(factor) ?: Long.MAX_VALUE }.thenBy { it[factor].orEmpty() }

/** The order of clients in tables and legends: the catalogue's order, then clients from cells. */
public object ClientOrder {
    private val places: Map<String, Int> by lazy {
        CatalogueReader.catalogue.clients.withIndex().associate { (place, client) -> client.id to place }
    }

    /** The place of the client [id], in any version. */
    public fun of(id: String): Int = places[ClientInfo.unversioned(id)] ?: Int.MAX_VALUE

    /** The versions of one client in their order; the lab's own version is last. */
    internal val byVersion: Comparator<String> =
        compareBy<String> { ClientInfo.unversioned(it) }
            .thenBy { ClientInfo.versionOf(it) == null }
            .thenBy(VersionOrder) { ClientInfo.versionOf(it).orEmpty() }
}
