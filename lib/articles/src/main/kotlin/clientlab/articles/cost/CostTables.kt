package clientlab.articles.cost

import clientlab.*
import clientlab.articles.*
import clientlab.closedloop.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.resourcelimits.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * The cost of a thousand requests, one row per client and age: processor seconds of the client's threads, allocated megabytes, page faults,
 * and the resident set after them in MB; medians with 95 % intervals over forks.
 */
public fun Trials<ClosedLoop>.costs(): AnyFrame =
    byTreatment()
        .filter { it[Factor.TASKS] != null }
        .toDataFrame {
            "client" from { it.client }
            "start" from { it.start }
            "cpuSecondsPer1000" from { it.middle("requestCpuMs") }
            "allocatedMBPer1000" from { it.middle("requestAllocatedBytes", 1e-3) }
            "pageFaultsPer1000" from { it.middle("requestPageFaults", 1e3) }
            "rssMB" from { it.middle("rssBytes", 1e-6) }
            "n" from { it.counted.size }
        }.from(this)

/** How many requests each client held within the limits of memory and threads, and how it ended, one row per treatment. */
public fun Trials<ResourceLimits>.within(): AnyFrame =
    byTreatment()
        .filter { it[Factor.THREADS] != null }
        .toDataFrame {
            "client" from { it.client }
            "memoryMiB" from { it.number(Factor.MEMORY_MIB) }
            "threadsMost" from { it.number(Factor.THREADS) }
            "heldInFlight" from { it.middle("heldInFlight") }
            "kBEach" from { group -> Bootstrap.median(group.values("heldBytes").map { it / 1e3 }).shown() }
            "osThreads" from { it.middle("osThreads") }
            "ended" from { howItEnds(it).ifEmpty { "held all" } }
            "n" from { it.counted.size }
        }.from(this)

private fun TreatmentTrials.middle(metric: String, scale: Double = 1.0) = Bootstrap.median(values(metric).map { it * scale }).shown()

/** How the trials of [group] ended: each kind once, the most frequent first; empty if all trials held the whole load. */
internal fun howItEnds(group: TreatmentTrials): String =
    group.counted
        .flatMap { trial -> trial.table("errors").map { it["kind"].toString() } }
        .groupingBy { it }
        .eachCount()
        .entries
        .sortedByDescending { it.value }
        .joinToString(" or ") { it.key }
