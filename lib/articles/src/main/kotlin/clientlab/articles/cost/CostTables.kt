package clientlab.articles.cost

import clientlab.*
import clientlab.closedloop.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.resourcelimits.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * The cost of a thousand requests, one row per client: processor seconds, allocated megabytes, page faults, and the resident set after them
 * in MB; medians with 95 % intervals over forks.
 */
public fun Trials<ClosedLoop>.costs(): AnyFrame {
    val groups = byTreatment().filter { it[Factor.TASKS] != null }

    fun column(name: String, metric: String, scale: Double) =
        groups.map { group -> middle(group.values(metric).map { it * scale }) }.toColumn(name)
    return dataFrameOf(
        groups.map { it.client }.toColumn("client"),
        column("cpuSecondsPer1000", "requestCpuMs", 1.0),
        column("allocatedMBPer1000", "requestAllocatedBytes", 1e-3),
        column("pageFaultsPer1000", "requestPageFaults", 1e3),
        column("rssMB", "rssBytes", 1e-6),
        groups.map { it.counted.size }.toColumn("n"),
    ).from(this)
}

/** How many requests each client held within the limits of memory and threads, and how it ended, one row per treatment. */
public fun Trials<ResourceLimits>.within(): AnyFrame {
    val groups = byTreatment().filter { it[Factor.THREADS] != null }
    return dataFrameOf(
        groups.map { it.client }.toColumn("client"),
        groups.map { it.number(Factor.MEMORY_MIB) }.toColumn("memoryMiB"),
        groups.map { it.number(Factor.THREADS) }.toColumn("threadsMost"),
        groups.map { middle(it.values("heldInFlight")) }.toColumn("heldInFlight"),
        groups.map { group -> middle(group.values("heldBytes").map { it / 1e3 }) }.toColumn("kBEach"),
        groups.map { middle(it.values("osThreads")) }.toColumn("osThreads"),
        groups.map { howItEnds(it).ifEmpty { "held all" } }.toColumn("ended"),
        groups.map { it.counted.size }.toColumn("n"),
    ).from(this)
}

private fun middle(values: List<Double>): String = if (values.isEmpty()) "none" else Bootstrap.median(values).toString()

/** How the trials of [group] ended: each kind once, the most frequent first; empty if all trials held the whole load. */
internal fun howItEnds(group: TreatmentTrials): String =
    group.counted
        .flatMap { (it["errors"] as AnyFrame).rows().map { row -> row["kind"].toString() } }
        .groupingBy { it }
        .eachCount()
        .entries
        .sortedByDescending { it.value }
        .joinToString(" or ") { it.key }
