package clientlab.articles.loom

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * The order of executors in tables and figures: executors without a limit first, then by size; a pool before virtual threads with the same
 * limit.
 */
internal object ExecutorOrder {
    /** A text that sorts in the order of executors. */
    fun of(id: String): String {
        val size = id.substringAfterLast('-').toIntOrNull()
        return when {
            id == "virtual" -> "0"
            id.startsWith("coroutines") -> "2 $id"
            else -> "1 %06d $id".format(java.util.Locale.ROOT, size ?: 0)
        }
    }
}

internal val TreatmentTrials.executor: String get() = get(Factor.EXECUTOR).orEmpty()
internal val TreatmentTrials.tasks: Int get() = number(Factor.TASKS)?.toInt() ?: 0
internal val TreatmentTrials.calls: Int get() = number(Factor.CALLS)?.toInt() ?: 0
internal val TreatmentTrials.delayMs: Int get() = number(Factor.DELAY_MS)?.toInt() ?: 0

/** Whether Flight Recorder was on, so that its times do not compare with others. */
internal val TreatmentTrials.recorded: Boolean get() = get(Factor.INSTRUMENT) == "jfr"

/** Whether the fork had no additional JVM options. */
internal val TreatmentTrials.asItComes: Boolean get() = get(Factor.JVM_ARGS).let { it == null || it == "none" }

/** The values of [metric] by round. */
internal fun TreatmentTrials.byRound(metric: String): Map<Int, Double> =
    counted.mapNotNull { row -> row.metric(metric)?.let { row.round to it } }.toMap()

/** The trials of tasks by treatment, in the order of figures. */
internal fun Trials<*>.taskGroups(): List<TreatmentTrials> =
    byTreatment().filter { it.executor.isNotEmpty() }.sortedWith(
        compareBy<TreatmentTrials> { it.tasks }
            .thenBy { it.calls }
            .thenBy { it.delayMs }
            .thenBy { ExecutorOrder.of(it.executor) }
            .thenBy { it[Factor.JVM_ARGS] }
            .thenBy { it[Factor.INSTRUMENT] },
    )

/**
 * Time for all tasks in milliseconds, from the first task submitted to the executor closed: one row per combination of tasks, calls and
 * delay, one column per executor.
 */
public fun Trials<Tasks>.taskTimes(): AnyFrame {
    val groups = taskGroups()
    val varied = listOf(Factor.TASKS, Factor.CALLS, Factor.DELAY_MS, Factor.INSTRUMENT, Factor.JVM_ARGS).filter { factor ->
        factor == Factor.TASKS || groups.map { it[factor] }.distinct().size > 1
    }
    val rows = groups.groupBy { group -> varied.map { group[it].orEmpty() } }.toList()
    val executors = groups.map { it.executor }.distinct().sortedBy { ExecutorOrder.of(it) }
    return dataFrameOf(
        varied.mapIndexed { at, factor -> rows.map { (key, _) -> key[at] }.toColumn(factor) } +
            executors.map { executor ->
                rows.map { (_, cells) -> cells.firstOrNull { it.executor == executor }?.let(::time).orEmpty() }.toColumn(executor)
            } + rows.map { (_, cells) -> cells.minOf { it.counted.size } }.toColumn("n"),
    ).from(this)
}

/**
 * The use of resources, one row per treatment: the share of all processors that client, server and the whole machine took, the most in
 * flight and the connections as the server saw them, and the client's processor time per call.
 */
public fun Trials<Tasks>.saturation(): AnyFrame {
    val groups = taskGroups()
    val factors = listOf(Factor.EXECUTOR, Factor.TASKS, Factor.CALLS, Factor.DELAY_MS, Factor.JVM_ARGS).filter { factor ->
        factor == Factor.EXECUTOR || groups.map { it[factor] }.distinct().size > 1
    }

    fun column(name: String, values: (TreatmentTrials) -> List<Double>): AnyCol =
        groups.map { group -> Bootstrap.median(values(group)).let { if (it.n == 0) "none" else it.toString() } }.toColumn(name)
    return dataFrameOf(
        factors.map { factor -> groups.map { it[factor].orEmpty() }.toColumn(factor) } +
            listOf(
                column("clientShare") { it.values("cpuShare") },
                column("serverShare") { it.values("serverCpuShare") },
                column("machineShare") { it.values("machineShare") },
                column("inFlightPeak") { it.values("inFlightPeak") },
                column("connectionsOpened") { it.values("connectionsOpened") },
                column("connectionsPeak") { it.values("connectionsPeak") },
                column("clientMicrosPerCall") { it.microsPerCall() },
                groups.map { it.counted.size }.toColumn("n"),
            ),
    ).from(this)
}

/** Pinned virtual threads by treatment, and the cost of recording them: the time for all tasks with and without Flight Recorder. */
public fun Trials<Tasks>.pinning(): AnyFrame {
    val groups = taskGroups()

    fun shown(group: TreatmentTrials, metric: String) = group.median(metric).let { if (it.n == 0) "not recorded" else it.toString() }
    return dataFrameOf(
        groups.map { it.executor }.toColumn(Factor.EXECUTOR),
        groups.map { it[Factor.INSTRUMENT].orEmpty() }.toColumn(Factor.INSTRUMENT),
        groups.map { shown(it, "pinnedEvents") }.toColumn("pinnedEvents"),
        groups.map { shown(it, "pinnedMs") }.toColumn("pinnedMs"),
        groups.map { shown(it, "submitFailures") }.toColumn("submitFailures"),
        groups.map(::time).toColumn("durationMs"),
        groups.map { it.counted.size }.toColumn("n"),
    ).from(this)
}

/** The base latency of all forks: the time of a call without a delay, measured one by one after the warm-up. */
public fun Trials<Tasks>.baseLatency(): AnyFrame {
    val all = rows().filter { it.outcome == "complete" }.mapNotNull { it.metric("baseLatencyMs") }
    val estimate = Bootstrap.median(all)
    return dataFrameOf(
        listOf(estimate.toString()).toColumn("baseLatencyMs"),
        listOf(estimate.n).toColumn("n"),
        listOf(all.minOrNull() ?: Double.NaN).toColumn("smallest"),
        listOf(all.maxOrNull() ?: Double.NaN).toColumn("largest"),
    ).from(this)
}

/**
 * The share of all processors that was in use, one value per fork. If the system does not give it, the share that client and server took
 * together.
 */
internal fun TreatmentTrials.busy(): List<Double> {
    values("machineShare").ifEmpty { null }?.let { return it }
    val server = byRound("serverCpuShare")
    return byRound("cpuShare").mapNotNull { (round, client) -> server[round]?.let { client + it } }
}

private fun TreatmentTrials.microsPerCall(): List<Double> = values("cpuSeconds").map { it * 1e6 / (tasks * calls) }

private fun time(group: TreatmentTrials): String = group.median("durationMs").let { if (it.n == 0) "none" else it.toString() }
