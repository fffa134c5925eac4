package clientlab.articles.memory

import clientlab.*
import clientlab.articles.*
import clientlab.idle.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * The memory per further task, one row per mechanism: slopes of least squares in kB (1,000 bytes) with 95 % bootstrap intervals over forks.
 */
public fun Trials<IdleTasks>.perTask(vararg metrics: String = PER_TASK): AnyFrame =
    mechanisms()
        .toDataFrame {
            "mechanism" from { it }
            "tasks" from { points(it).values.keys.let { tasks -> "${tasks.min()} to ${withCommas(tasks.max())}" } }
            "n" from { points(it).n }
            metrics.forEach { metric ->
                metric.replace("GrowthBytes", "KB").replace("Bytes", "KB") from { slope(points(it, metric)) }
            }
        }.from(this)

/**
 * The ratio of the memory per task of two mechanisms, and for each mechanism the ratio of even to odd rounds, which compares it with itself
 * and must be 1.
 */
public fun Trials<IdleTasks>.memoryRatios(): AnyFrame =
    memoryRatioEstimates()
        .toDataFrame {
            "ratio" from { it.first }
            "estimate" from { it.second.toString() }
            "n" from { it.second.n }
            "includes 1" from { (name, ratio) -> if (name.startsWith(SAME)) includesOne(ratio) else "" }
        }.from(this)

internal fun Trials<*>.memoryRatioEstimates(): List<Pair<String, Estimate>> {
    val there = mechanisms()
    val pairs = listOf("threads" to "coroutines", "threads" to "virtual", "virtual" to "coroutines", "pool" to "threads")
    return pairs.filter { (a, b) -> a in there && b in there }.map { (a, b) -> "$a : $b" to Slope.ratio(points(a), points(b)) } +
        there.map { "$SAME$it" to evenToOdd(it) }
}

/** The slope of [mechanism] in even rounds divided by that in odd rounds. */
internal fun Trials<*>.evenToOdd(mechanism: String, tasks: List<Int>? = null, where: (TreatmentTrials) -> Boolean = { true }): Estimate {
    val (even, odd) = listOf(0, 1).map { parity -> points(mechanism, tasks = tasks, rounds = { it % 2 == parity }, where = where) }
    return Slope.ratio(even, odd)
}

/** Whether two independent runs agree: the slope of each mechanism in kB a task, in this run and in [other], and the ratio of the two. */
public fun Trials<IdleTasks>.agreement(other: Trials<IdleTasks>): AnyFrame {
    fun ratio(name: String) = Slope.ratio(points(name), other.points(name, tasks = points(name).values.keys.toList()))
    return mechanisms()
        .filter { it in other.mechanisms() }
        .toDataFrame {
            "mechanism" from { it }
            "thisRunKB" from { slope(points(it)) }
            "otherRunKB" from { slope(other.points(it)) }
            "ratio" from { ratio(it).toString() }
            "includes 1" from { includesOne(ratio(it)) }
        }.from(this, other)
}

/** The first few tasks, one row per treatment of at most [most] tasks: medians over forks, and what the slope of the others predicts. */
public fun Trials<IdleTasks>.firstTasks(most: Int = 10): AnyFrame {
    fun kb(group: TreatmentTrials, metric: String) = Bootstrap.median(group.values(metric).map { it * KB }).toString()
    return byTreatment()
        .filter { (it.number(Factor.TASKS) ?: Long.MAX_VALUE) <= most }
        .sortedBy { MECHANISMS.indexOf(it[Factor.MECHANISM]) }
        .toDataFrame {
            "mechanism" from { it[Factor.MECHANISM].orEmpty() }
            "start" from { it.start }
            "tasks" from { it.number(Factor.TASKS) }
            "n" from { it.counted.size }
            "memoryKB" from { kb(it, MEMORY) }
            "heapKB" from { kb(it, "heapGrowthBytes") }
            "classesAndCodeKB" from { kb(it, "nonHeapGrowthBytes") }
            "classesLoaded" from { Estimate.rounded(it.median("classesGrowth").value) }
            "osThreads" from { Estimate.rounded(it.median("osThreadsGrowth").value) }
        }.from(this)
}

/**
 * The memory per further task by each method, in kB: heap after full collections, heap with the collector that never collects, allocated
 * bytes.
 */
public fun Trials<IdleTasks>.methods(): AnyFrame {
    fun by(mechanism: String, instrument: String, metric: String) =
        slope(points(mechanism, metric) { it[Factor.INSTRUMENT] == instrument })
    return mechanisms()
        .toDataFrame {
            "mechanism" from { it }
            "heap after full collections" from { by(it, "collected", "heapGrowthBytes") }
            "heap as it stands" from { by(it, "collected", "uncollectedGrowthBytes") }
            "heap, epsilon collector" from { by(it, "epsilon", "heapGrowthBytes") }
            "allocated, as threads count it" from { by(it, "epsilon", "allocatedBytes") }
        }.from(this)
}

/** The memory per further task in kB: one row per level of [factor], one column per mechanism. */
public fun Trials<IdleTasks>.perTaskBy(factor: String, metric: String = MEMORY): AnyFrame {
    val levels = byTreatment().mapNotNull { it[factor] }.distinct()
    return levels
        .sortedBy { level -> if (levels.all { it.toIntOrNull() != null }) level.toInt() else 0 }
        .toDataFrame {
            factor from { it }
            mechanisms().forEach { name -> name from { level -> slope(points(name, metric) { it[factor] == level }) } }
        }.from(this)
}

/** The memory of all tasks in kB: one row per number of tasks, one column per mechanism, medians over forks. */
public fun Trials<IdleTasks>.memoryByTasks(metric: String = MEMORY): AnyFrame =
    byTreatment()
        .mapNotNull { it.number(Factor.TASKS)?.toInt() }
        .distinct()
        .sorted()
        .toDataFrame {
            "tasks" from { it }
            mechanisms().forEach { name ->
                val values = points(name, metric).values
                name from { tasks -> Bootstrap.median(values[tasks].orEmpty().map { it * KB }).shown("not measured") }
            }
        }.from(this)

/**
 * The source's method with our data, in kB per task up to [most] tasks: a line through averages of the first three rounds with the unusual
 * first tasks, the same without them, and both with every fork.
 */
public fun Trials<IdleTasks>.fitsOfSource(most: Int = 500): AnyFrame {
    fun fit(mechanism: String, from: Int, rounds: Int) = slope(points(mechanism, rounds = { it < rounds }).at { it in from..most })
    return mechanisms()
        .toDataFrame {
            "mechanism" from { it }
            listOf("three repeats" to 3, "every fork" to Int.MAX_VALUE).forEach { (words, rounds) ->
                listOf(1, BEYOND_FIRST).forEach { first -> "from $first, $words" from { fit(it, first, rounds) } }
            }
        }.from(this)
}

/** The fewest tasks that are beyond "the first few". */
internal const val BEYOND_FIRST: Int = 50
internal const val KB = 1e-3
private const val SAME = "A/A "
private val PER_TASK = arrayOf(MEMORY, "heapGrowthBytes", "residentGrowthBytes", "reservedGrowthBytes")

private fun slope(points: ForkPoints): String = Slope.of(points, KB).shown("not measured")

private fun includesOne(estimate: Estimate) = when {
    estimate.n < 2 -> "too few forks"
    1.0 in estimate.low..estimate.high -> "yes"
    else -> "no"
}
