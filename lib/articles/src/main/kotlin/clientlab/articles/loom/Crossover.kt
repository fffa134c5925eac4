package clientlab.articles.loom

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * One round with a pool and with virtual threads without a limit: their times at each delay, in milliseconds.
 *
 * @property pool the executor with a limit, by id; [limit] how many tasks it runs at once.
 * @property poolMs its times by delay; [virtualMs] those of virtual threads, at the same delays.
 * @property baseMs the time of one call without a delay, when calls follow one another.
 * @property asked the delays that the run asked for. A round may lack some, because an invalid trial is no number.
 */
internal class CrossoverRound(
    val round: Int,
    val pool: String,
    val tasks: Int,
    val calls: Int,
    val limit: Double,
    val baseMs: Double,
    val poolMs: Map<Int, Double>,
    val virtualMs: Map<Int, Double>,
    val start: String = Start.Warm.label,
    val asked: List<Int> = poolMs.keys.sorted(),
) {
    private val delays = poolMs.keys.sorted()

    /** The place of the first delay at which virtual threads win, or -1. */
    private val first: Int get() = delays.indexOfFirst { behind(it) > 0 }

    /** Whether the crossover is outside the range: virtual threads win already at the shortest delay, or not even at the longest. */
    val below: Boolean get() = first == 0 && atMs != null
    val above: Boolean get() = first < 0 && atMs != null

    /**
     * The delay from which virtual threads win, interpolated linearly between the two delays where the curves cross; otherwise the end of
     * the range. Null if a trial is missing where they may have crossed.
     */
    val atMs: Double?
        get() {
            val next = first
            if (next == 0) return asked.first().takeIf { it == delays.first() }?.toDouble()
            if (next < 0) return asked.last().takeIf { it == delays.last() }?.toDouble()
            val (from, to) = delays[next - 1] to delays[next]
            if (asked.indexOf(to) - asked.indexOf(from) != 1) return null
            return from + (to - from) * -behind(from) / (behind(to) - behind(from))
        }

    /**
     * The crossover predicted by two lines: a pool of k threads needs (base + delay) / k per call, and virtual threads need the time of a
     * saturated machine, so the lines meet at k × that time − base. Null if that time is missing.
     */
    val predictedMs: Double?
        get() = virtualMs[asked.first()]?.let { limit * it / (tasks * calls) - baseMs }

    private fun behind(delay: Int) = poolMs.getValue(delay) - virtualMs.getValue(delay)
}

/** What a pool and virtual threads must have in common to be compared. */
private data class Alike(val tasks: Int, val calls: Int, val start: String)

private fun TreatmentTrials.alike() = Alike(tasks, calls, start)

/** Every round of these trials that has virtual threads and an executor with a limit at the same delays. */
internal fun Trials<*>.crossoverRounds(): List<CrossoverRound> {
    val all = undisturbed()
    return all.filter { it.executor.startsWith("pool-") }.groupBy { it.executor to it.alike() }.flatMap { (key, pools) ->
        val (pool, alike) = key
        val times = pools.associate { it.delayMs to it.byRound("durationMs") }
        val asked = times.keys.sorted()
        val others = all
            .filter { it.executor == LoomSource.VIRTUAL && it.alike() == alike }
            .associate { it.delayMs to it.byRound("durationMs") }
        times.values.flatMap { it.keys }.distinct().sorted().mapNotNull { round ->
            val delays = times.keys.filter { round in times.getValue(it) && round in others[it].orEmpty() }
            val limit = pools.firstNotNullOfOrNull { it.byRound("executorLimit")[round] }
            val base = pools.firstNotNullOfOrNull { it.byRound("baseLatencyMs")[round] }
            if (delays.isEmpty() || limit == null || base == null) return@mapNotNull null
            val (poolMs, virtualMs) = listOf(times, others).map { of -> delays.associateWith { of.getValue(it).getValue(round) } }
            CrossoverRound(round, pool, alike.tasks, alike.calls, limit, base, poolMs, virtualMs, alike.start, asked)
        }
    }
}

/** Time of the pool / time of virtual threads at [delay], one value per round. */
internal fun List<CrossoverRound>.ratiosAt(delay: Int): List<Double> =
    mapNotNull { round -> round.poolMs[delay]?.let { it / round.virtualMs.getValue(delay) } }

internal fun List<CrossoverRound>.ratioAt(delay: Int): Estimate = Bootstrap.median(ratiosAt(delay))

/** The delay from which virtual threads win, with its interval over forks. Lines that do not cross count as the end of the range. */
internal fun List<CrossoverRound>.crossover(): Estimate = Bootstrap.median(mapNotNull { it.atMs })

/**
 * The delay from which virtual threads beat each pool, with its interval over forks, and the prediction by two lines from their time at the
 * shortest delay. Each round gives one crossover, unless a trial is missing where the lines may have crossed. `outside` says in how many
 * rounds it was outside the range.
 */
public fun Trials<Tasks>.crossovers(): AnyFrame {
    val all = crossoverRounds()
    val ages = all.map { it.start }.distinct().size
    return all
        .groupBy { listOf(it.pool, it.tasks, it.calls, it.start) }
        .values
        .sortedWith(
            compareBy({ ExecutorOrder.of(it.first().pool) }, { it.first().tasks }, { it.first().calls }, { it.first().start == STEADY }),
        ).toDataFrame {
            "pool" from { it.first().pool }
            Factor.TASKS from { it.first().tasks }
            Factor.CALLS from { it.first().calls }
            if (ages > 1) Factor.START from { it.first().start }
            "delaysMs" from { rounds -> rounds.flatMap { it.poolMs.keys }.distinct().sorted().joinToString(" ") }
            "crossoverMs" from { it.crossover().toString() }
            "predictedMs" from { rounds -> Bootstrap.median(rounds.mapNotNull { it.predictedMs }).toString() }
            "n" from { rounds -> rounds.count { it.atMs != null } }
            "outside" from ::outside
        }.from(this)
}

private val STEADY = Start.Steady.label

private fun outside(rounds: List<CrossoverRound>): String =
    listOf("below" to rounds.count { it.below }, "above" to rounds.count { it.above })
        .filter { (_, count) -> count > 0 }
        .joinToString { (side, count) -> "$count $side the range" }
        .ifEmpty { "none" }
