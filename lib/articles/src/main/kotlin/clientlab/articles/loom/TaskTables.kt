package clientlab.articles.loom

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.jetbrains.kotlinx.dataframe.api.toDataFrame
import java.util.Locale

/** The order of executors: those without a limit first, then by size; a pool before virtual threads of the same limit. */
internal object ExecutorOrder {
    /** A text that sorts in the order of executors. */
    fun of(id: String): String = when {
        id == "virtual" -> "0"
        id.startsWith("coroutines") -> "2 $id"
        else -> "1 %06d $id".format(Locale.ROOT, id.substringAfterLast('-').toIntOrNull() ?: 0)
    }
}

internal val TreatmentTrials.executor: String get() = get(Factor.EXECUTOR).orEmpty()
internal val TreatmentTrials.calls: Int get() = number(Factor.CALLS)?.toInt() ?: 0
internal val TreatmentTrials.delayMs: Int get() = number(Factor.DELAY_MS)?.toInt() ?: 0

/** The trials of tasks by treatment, in the order of figures. */
internal fun Trials<*>.taskGroups(): List<TreatmentTrials> =
    byTreatment().filter { it.executor.isNotEmpty() }.sortedWith(
        compareBy<TreatmentTrials> { it.tasks }
            .thenBy { it.calls }
            .thenBy { it.delayMs }
            .thenBy { it.start == Start.Steady.label }
            .thenBy { ExecutorOrder.of(it.executor) }
            .thenBy { it[Factor.JVM_ARGS] }
            .thenBy { it[Factor.INSTRUMENT] },
    )

/** The trials whose times compare: without Flight Recorder, and in forks without additional JVM options. */
internal fun Trials<*>.undisturbed(): List<TreatmentTrials> =
    taskGroups().filter { it[Factor.INSTRUMENT] != "jfr" && (it[Factor.JVM_ARGS] ?: "none") == "none" }

/**
 * Time for all tasks in milliseconds, from the first task submitted to the executor closed: one row per combination of tasks, calls and
 * delay, one column per executor.
 */
public fun Trials<Tasks>.taskTimes(): AnyFrame {
    val groups = taskGroups()
    val varied = varied(groups, Factor.TASKS, Factor.CALLS, Factor.DELAY_MS, Factor.START, Factor.INSTRUMENT, Factor.JVM_ARGS)
    val executors = groups.map { it.executor }.distinct().sortedBy { ExecutorOrder.of(it) }
    return groups
        .groupBy { group -> varied.map { group[it].orEmpty() } }
        .values
        .toDataFrame {
            varied.forEach { factor -> factor from { it.first()[factor].orEmpty() } }
            executors.forEach { id -> id from { cells -> cells.firstOrNull { it.executor == id }?.time().orEmpty() } }
            "n" from { cells -> cells.minOf { it.counted.size } }
        }.from(this)
}

/**
 * The use of resources, one row per treatment: the share of all processors that client, server and the whole machine took, the most in
 * flight and the connections as the server saw them, and the client's processor time per call.
 */
public fun Trials<Tasks>.saturation(): AnyFrame {
    val groups = taskGroups()
    return groups
        .toDataFrame {
            varied(groups, Factor.EXECUTOR, Factor.TASKS, Factor.CALLS, Factor.DELAY_MS, Factor.START, Factor.JVM_ARGS).forEach { factor ->
                factor from { it[factor].orEmpty() }
            }
            "clientShare" from { it.median("cpuShare").shown() }
            "serverShare" from { it.median("serverCpuShare").shown() }
            listOf("machineShare", "inFlightPeak", "connectionsOpened", "connectionsPeak").forEach { metric ->
                metric from { it.median(metric).shown() }
            }
            "clientMicrosPerCall" from { group ->
                Bootstrap.median(group.values("cpuSeconds").map { it * 1e6 / (group.tasks * group.calls) }).shown()
            }
            "n" from { it.counted.size }
        }.from(this)
}

/** The first of [factors], and those of the others whose levels differ. */
private fun varied(groups: List<TreatmentTrials>, vararg factors: String): List<String> =
    factors.filterIndexed { at, factor -> at == 0 || groups.map { it[factor] }.distinct().size > 1 }

/** Pinned virtual threads by treatment, and the cost of recording them: the time for all tasks with and without Flight Recorder. */
public fun Trials<Tasks>.pinning(): AnyFrame =
    taskGroups()
        .toDataFrame {
            listOf(Factor.EXECUTOR, Factor.INSTRUMENT).forEach { factor -> factor from { it[factor].orEmpty() } }
            listOf("pinnedEvents", "pinnedMs", "submitFailures").forEach { metric ->
                metric from { it.median(metric).shown("not recorded") }
            }
            "durationMs" from { it.time() }
            "n" from { it.counted.size }
        }.from(this)

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

/** The share of all processors in use, one value per fork; if the system does not give it, what client and server took together. */
internal fun TreatmentTrials.busy(): List<Double> =
    values("machineShare").ifEmpty { perRound(counted, counted, "cpuShare", "serverCpuShare") { client, server -> client + server } }

private fun TreatmentTrials.time(): String = median("durationMs").shown()
