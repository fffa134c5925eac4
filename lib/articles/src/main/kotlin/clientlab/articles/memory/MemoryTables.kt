package clientlab.articles.memory

import clientlab.*
import clientlab.idle.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

private const val KB = 1e-3

/**
 * The memory per further task, one row per mechanism: slopes of least squares in kB (1,000 bytes) with 95 % bootstrap intervals over forks.
 */
public fun Trials<IdleTasks>.perTask(vararg metrics: String = PER_TASK): AnyFrame {
    val names = mechanisms()
    return dataFrameOf(
        listOf(
            names.toColumn("mechanism"),
            names
                .map {
                    points(it).values.keys.let { tasks ->
                        "${tasks.min()} to ${"%,d".format(java.util.Locale.ROOT, tasks.max())}"
                    }
                }.toColumn("tasks"),
            names.map { points(it).n }.toColumn("n"),
        ) +
            metrics.map { metric ->
                names.map { shown(Slope.of(points(it, metric), KB)) }.toColumn(metric.replace("GrowthBytes", "KB").replace("Bytes", "KB"))
            },
    ).from(this)
}

/**
 * The ratio of the memory per task of two mechanisms, and for each mechanism the ratio of even to odd rounds, which compares it with itself
 * and must be 1.
 */
public fun Trials<IdleTasks>.memoryRatios(): AnyFrame {
    val ratios = memoryRatioEstimates()
    return dataFrameOf(
        ratios.map { it.first }.toColumn("ratio"),
        ratios.map { it.second.toString() }.toColumn("estimate"),
        ratios.map { it.second.n }.toColumn("n"),
        ratios.map { (name, ratio) -> if (name.startsWith(SAME)) includes(ratio, 1.0) else "" }.toColumn("includes 1"),
    ).from(this)
}

internal fun Trials<*>.memoryRatioEstimates(): List<Pair<String, Estimate>> {
    val there = mechanisms()
    val pairs = listOf("threads" to "coroutines", "threads" to "virtual", "virtual" to "coroutines", "pool" to "threads")
    return pairs.filter { (a, b) -> a in there && b in there }.map { (a, b) -> "$a : $b" to Slope.ratio(points(a), points(b)) } +
        there.map { name ->
            val (even, odd) = listOf(0, 1).map { parity -> points(name, rounds = { it % 2 == parity }) }
            "$SAME$name" to Slope.ratio(even, odd)
        }
}

/** Whether two independent runs agree: the slope of each mechanism in kB a task, in this run and in [other], and the ratio of the two. */
public fun Trials<IdleTasks>.agreement(other: Trials<IdleTasks>): AnyFrame {
    val names = mechanisms().filter { it in other.mechanisms() }
    val ratios = names.map { Slope.ratio(points(it), other.points(it, tasks = points(it).values.keys.toList())) }
    return dataFrameOf(
        names.toColumn("mechanism"),
        names.map { shown(Slope.of(points(it), KB)) }.toColumn("thisRunKB"),
        names.map { shown(Slope.of(other.points(it), KB)) }.toColumn("otherRunKB"),
        ratios.map { it.toString() }.toColumn("ratio"),
        ratios.map { includes(it, 1.0) }.toColumn("includes 1"),
    ).from(this, other)
}

/** The first few tasks, one row per treatment of at most [most] tasks: medians over forks, and what the slope of the others predicts. */
public fun Trials<IdleTasks>.firstTasks(most: Int = 10): AnyFrame {
    val groups = byTreatment()
        .filter {
            (it.number(Factor.TASKS) ?: Long.MAX_VALUE) <= most
        }.sortedBy { MECHANISMS.indexOf(it[Factor.MECHANISM]) }

    fun kb(group: TreatmentTrials, metric: String) = Bootstrap.median(group.values(metric).map { it * KB }).toString()

    fun count(group: TreatmentTrials, metric: String) = Estimate.rounded(group.median(metric).value)
    return dataFrameOf(
        groups.map { it[Factor.MECHANISM].orEmpty() }.toColumn("mechanism"),
        groups.map { it.start }.toColumn("start"),
        groups.map { it.number(Factor.TASKS) }.toColumn("tasks"),
        groups.map { it.counted.size }.toColumn("n"),
        groups.map { kb(it, MEMORY) }.toColumn("memoryKB"),
        groups.map { kb(it, "heapGrowthBytes") }.toColumn("heapKB"),
        groups.map { kb(it, "nonHeapGrowthBytes") }.toColumn("classesAndCodeKB"),
        groups.map { count(it, "classesGrowth") }.toColumn("classesLoaded"),
        groups.map { count(it, "osThreadsGrowth") }.toColumn("osThreads"),
    ).from(this)
}

/**
 * The memory per further task by each method, in kB: heap after full collections, heap with the collector that never collects, allocated
 * bytes.
 */
public fun Trials<IdleTasks>.methods(): AnyFrame {
    val names = mechanisms()

    fun by(instrument: String, metric: String) =
        names.map { name -> shown(Slope.of(points(name, metric) { it[Factor.INSTRUMENT] == instrument }, KB)) }
    return dataFrameOf(
        names.toColumn("mechanism"),
        by("collected", "heapGrowthBytes").toColumn("heap after full collections"),
        by("collected", "uncollectedGrowthBytes").toColumn("heap as it stands"),
        by("epsilon", "heapGrowthBytes").toColumn("heap, epsilon collector"),
        by("epsilon", "allocatedBytes").toColumn("allocated, as threads count it"),
    ).from(this)
}

/** The memory per further task in kB: one row per level of [factor], one column per mechanism. */
public fun Trials<IdleTasks>.perTaskBy(factor: String, metric: String = MEMORY): AnyFrame {
    val levels = byTreatment().mapNotNull { it[factor] }.distinct().let { all ->
        if (all.all { it.toIntOrNull() != null }) all.sortedBy { it.toInt() } else all
    }
    return dataFrameOf(
        listOf(levels.toColumn(factor)) +
            mechanisms().map { name ->
                levels.map { level -> shown(Slope.of(points(name, metric) { it[factor] == level }, KB)) }.toColumn(name)
            },
    ).from(this)
}

/** The memory of all tasks in kB: one row per number of tasks, one column per mechanism, medians over forks. */
public fun Trials<IdleTasks>.memoryByTasks(metric: String = MEMORY): AnyFrame {
    val tasks = byTreatment().mapNotNull { it.number(Factor.TASKS)?.toInt() }.distinct().sorted()
    return dataFrameOf(
        listOf(tasks.toColumn("tasks")) +
            mechanisms().map { name ->
                val points = points(name, metric)
                tasks.map { shown(Bootstrap.median(points.values[it].orEmpty().map { value -> value * KB })) }.toColumn(name)
            },
    ).from(this)
}

/**
 * The source's method with our data, in kB per task up to [most] tasks: a line through averages of the first three rounds with the unusual
 * first tasks, the same without them, and both with every fork.
 */
public fun Trials<IdleTasks>.fitsOfSource(most: Int = 500): AnyFrame {
    val names = mechanisms()

    fun fit(from: Int, rounds: Int) =
        names.map { name -> shown(Slope.of(points(name, rounds = { it < rounds }).at { it in from..most }, KB)) }
    return dataFrameOf(
        names.toColumn("mechanism"),
        fit(1, THREE).toColumn("from 1, three repeats"),
        fit(BEYOND_FIRST, THREE).toColumn("from $BEYOND_FIRST, three repeats"),
        fit(1, Int.MAX_VALUE).toColumn("from 1, every fork"),
        fit(BEYOND_FIRST, Int.MAX_VALUE).toColumn("from $BEYOND_FIRST, every fork"),
    ).from(this)
}

/** The fewest tasks that are beyond "the first few". */
internal const val BEYOND_FIRST: Int = 50
internal const val SAME: String = "A/A "
private const val THREE = 3
private val PER_TASK = arrayOf(MEMORY, "heapGrowthBytes", "residentGrowthBytes", "reservedGrowthBytes")

private fun shown(estimate: Estimate): String = if (estimate.n == 0) "not measured" else estimate.toString()

private fun includes(estimate: Estimate, number: Double) =
    when {
        estimate.n < 2 -> "too few forks"
        number in estimate.low..estimate.high -> "yes"
        else -> "no"
    }
