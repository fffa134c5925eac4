package clientlab.notebook.frame

import clientlab.*
import clientlab.idle.*
import clientlab.notebook.stats.*

/** The memory of a set of tasks: heap in use after collections, and resident memory outside the heap. */
public const val MEMORY: String = "memoryGrowthBytes"

/** The mechanisms in the order of tables and legends. */
public val MECHANISMS: List<String> = Mechanism.entries.map { it.label }

/** The mechanisms that are among these trials. */
public fun Trials<*>.mechanisms(): List<String> =
    byTreatment().mapNotNull { it[Factor.MECHANISM] }.distinct().sortedBy { MECHANISMS.indexOf(it) }

/**
 * The values of [metric] of the tasks of [mechanism], by their number, one value per complete fork of [rounds]. If [tasks] are named, all
 * of them are points, measured or not. Fails if the treatments that [where] selects differ in more than their number of tasks.
 */
public fun Trials<*>.points(
    mechanism: String,
    metric: String = MEMORY,
    tasks: List<Int>? = null,
    rounds: (Int) -> Boolean = { true },
    where: (TreatmentTrials) -> Boolean = { true },
): ForkPoints {
    val groups = byTreatment().filter { it[Factor.MECHANISM] == mechanism && where(it) }
    val twice = groups.groupBy { it.number(Factor.TASKS) }.values.firstOrNull { it.size > 1 }
    refuseUnless(twice == null) {
        "There are ${twice!!.size} kinds of trials of ${twice[0][Factor.TASKS]} $mechanism: filter them, as by start or stackDepth, first."
    }
    val measured = groups.filter { it[Factor.TASKS] != null }.associate { group ->
        group.tasks to group.counted.filter { rounds(it.round) }.mapNotNull { it.metric(metric) }
    }
    return ForkPoints(tasks?.associateWith { measured[it].orEmpty() } ?: measured)
}

/** How many tasks a treatment has, 0 where that is no factor of it. */
public val TreatmentTrials.tasks: Int get() = number(Factor.TASKS)?.toInt() ?: 0

/** What keeps the tasks of a treatment, or an empty text. */
public val TreatmentTrials.mechanism: String get() = get(Factor.MECHANISM).orEmpty()

/** A treatment's place in a figure of memory: its `mechanism` and its `tasks`. */
public fun TreatmentTrials.memoryPoint(): Map<String, Any?> = mapOf("mechanism" to mechanism, "tasks" to tasks)
