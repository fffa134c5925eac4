package clientlab.articles.loom

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import kotlin.math.max
import kotlin.math.min

private const val NOTEBOOK = "03-virtual-threads"
private const val VIRTUAL = LoomSource.VIRTUAL
private const val POOL = LoomSource.POOL
private const val GRID = "tasks-2026-11"
private const val MANY = "tasks-many-2026-11f"
private const val CONTROL = "tasks-control-2026-11"
private const val POOLS = "tasks-pools-2026-11"
private val DELAYS = 0..5

/** "About the same": at most as far apart as the source's own times of virtual threads, 2.976 and 2.731 s. */
private val SAME = Bound(0.9, 1.1)
private val FASTER = Bound(low = 1.0)
private val SLOWER = Bound(high = 1.0)

internal class LoomArticle : NamedArticle(NOTEBOOK, loomClaims + steadyLoomClaims)

/** What source 002 (D. Vlijmincx, *Virtual vs Platform Threads for API Calls*, 2024) says, and what reading it finds. */
internal val loomClaims: List<Claim> = claims(NOTEBOOK, "002") {
    claim("loom.delay", "2.98 s at 0 ms, 2.73 s at 4 ms", MANY)
        .says("Virtual threads get a little faster with more delay.") { trials ->
            listOf(1, 2).map { calls -> trials.times("$calls a task", "time at 4 ms / at 0 ms", SLOWER, overDelay(trials, calls, 4)) }
        }
    claim("loom.many", "stated (JEP 444)", POOLS)
        .says("Virtual threads pay off from some thousands of tasks that wait more than they compute.") { trials ->
            listOf("pool-64", "pool-512").map { pool ->
                val ratios = trials.crossoverRounds().filter { it.pool == pool && it.tasks >= THOUSANDS }.ratiosAt(PAYING_MS)
                trials.times("$THOUSANDS tasks, $PAYING_MS ms", "time of $pool / of virtual threads", FASTER, ratios)
            }
        }
    claim("loom.flat", "2.73 to 2.98 s at 0 to 5 ms", MANY)
        .says("Virtual threads need about the same time whatever the delay.") { trials ->
            listOf(1, 2).flatMap { calls ->
                listOf(4, 5).map { trials.times("$calls a task", "time at $it ms / at 0 ms", SAME, overDelay(trials, calls, it)) }
            }
        }
    claim("loom.linear", "0.81 to 2.32 s (1 call), 1.61 to 4.63 s (2 calls)", GRID)
        .says("The fixed pool's time grows with the delay, in a straight line.") { trials ->
            listOf(1, 2).flatMap { calls ->
                val rounds = rounds(trials, calls).filter { it.poolMs.keys.containsAll(listOf(DELAYS.first, DELAYS.last)) }
                val growth = rounds.map { it.poolMs.getValue(DELAYS.last) / it.poolMs.getValue(DELAYS.first) }
                listOf(
                    trials.times("$calls a task", "time at 5 ms / at 0 ms", Bound(low = 2.0), growth),
                    Part.median(
                        "$calls a task",
                        "share of variance that a straight line explains",
                        Bound(low = 0.95),
                        rounds.map(::straight),
                    ),
                )
            }
        }
    claim("loom.one", "all six points", GRID)
        .says("With one call a task the pool is faster at each delay from 0 to 5 ms, so while a response takes less than 9 ms.") { trials ->
            DELAYS.map { ratio(trials, 1, it, SLOWER) }
        }
    claim("loom.two", "2.918 ± 0.004 against 2.876 ± 0.112 s at 2 ms", GRID)
        .says("With two calls a task virtual threads are faster from 2 ms of delay on, and the pool below.") { trials ->
            DELAYS.map { ratio(trials, 2, it, if (it < 2) SLOWER else FASTER) }
        }
    claim("loom.calls", "2.98 and 2.91 s", MANY)
        .says("Virtual threads need the same time for one and for two calls a task.") { trials ->
            listOf(
                0,
                5,
            ).map { trials.times("$it ms", "time of 2 calls / of 1", SAME, paired(at(trials, VIRTUAL, 2, it), at(trials, VIRTUAL, 1, it))) }
        }
    about("loom.base", "4 ms; 0.808 and 1.614 s")
        .says("A base of 4 ms and the pool's times fit together only if \"as many threads as processors\" were about fifty.") {
            listOf(1, 2).map { calls ->
                val time = LoomSource.of(POOL, calls, 0)
                val (value, low, high) = listOf(time.seconds, time.high, time.low).map { LoomSource.threadsFor(it, calls) }
                Part("$calls a task", "threads that the source's time takes", Bound(45.0, 55.0), ofSource(value, low, high))
            }
        }
    about("loom.overlap", "2.918 ± 0.004 against 2.876 ± 0.112 s")
        .says("At 2 ms and two calls, where the source sees virtual threads overtake, its own intervals overlap.") {
            val (pool, virtual) = listOf(POOL, VIRTUAL).map { LoomSource.of(it, 2, 2) }
            val overlap = (min(pool.high, virtual.high) - max(pool.low, virtual.low)) * 1e3
            listOf(Part("2 calls, 2 ms", "ms that both intervals hold", Bound(low = 0.0), ofSource(overlap, overlap, overlap)))
        }
    about("loom.cap", "found by reading: two things vary at once", CONTROL)
        .says(
            "What the source compares is a limit with none: at 5 ms of delay, virtual threads behind a semaphore of the pool's size take " +
                "the pool's time.",
        ) { trials ->
            listOf("processors", "8").flatMap { size ->
                val (pool, limited) = listOf("pool-$size", "virtual-limited-$size").map { at(trials, it, 1, DELAYS.last) }
                val words = "time of virtual threads behind a semaphore / of the pool, at 5 ms"
                listOf(trials.times("limit $size", words, SAME, paired(limited, pool))) +
                    listOf("virtual threads" to limited, "pool" to pool).map { (name, group) ->
                        val filled = group.ratios("inFlightPeak", "executorLimit")
                        Part.median("limit $size", "most in flight / limit, $name, as the server saw it", SLOWER, filled)
                    }
            }
        }
    about("loom.saturated", "2.98 and 2.91 s at 0 ms")
        .says(
            "The source's virtual threads take as long for 10,000 calls as for 20,000, so something other than the calls decides.",
        ) {
            DELAYS.map { delay ->
                val (one, two) = listOf(1, 2).map { LoomSource.of(VIRTUAL, it, delay) }
                val estimate = ofSource(two.seconds / one.seconds, two.low / one.high, two.high / one.low)
                Part("source, $delay ms", "time of 2 calls / of 1", Bound(low = 0.8, high = 1.25), estimate)
            }
        }
} + claims(NOTEBOOK) {
    claim("loom.busy", "at least 0.85", MANY)
        .says("In our set-up 10,000 virtual threads without a delay keep all processors busy.") { trials ->
            listOf(1, 2).map { calls ->
                val busy = at(trials, VIRTUAL, calls, 0).busy()
                Part.median("$calls a task, 0 ms", "share of all processors in use", Bound(low = 0.85), busy)
            }
        }
}

private const val THOUSANDS = 10_000
private const val PAYING_MS = 100

/** A part about a ratio of times, which must exceed the noise of times. */
private fun Trials<*>.times(of: String, words: String, bound: Bound, ratios: List<Double>) =
    Part.median(of, words, bound, ratios, ratioFloor(Tasks::class, "durationMs"))

private fun ofSource(value: Double, low: Double, high: Double) =
    Estimate(value, low, high, 10, "the source's own interval, 99.9 % over ten iterations of one fork")

/** The undisturbed trials of [executor] with the largest number of tasks. */
private fun at(trials: Trials<*>, executor: String, calls: Int, delay: Int): TreatmentTrials =
    trials.undisturbed().filter { it.executor == executor && it.calls == calls && it.delayMs == delay }.maxByOrNull { it.tasks }
        ?: TreatmentTrials(Treatment(Factor.EXECUTOR to executor), emptyList())

private fun paired(group: TreatmentTrials, other: TreatmentTrials) = perRound(group.counted, other.counted, "durationMs")

private fun overDelay(trials: Trials<*>, calls: Int, delay: Int) = paired(at(trials, VIRTUAL, calls, delay), at(trials, VIRTUAL, calls, 0))

private fun rounds(trials: Trials<*>, calls: Int): List<CrossoverRound> {
    val all = trials.crossoverRounds().filter { it.pool == POOL && it.calls == calls }
    val most = all.maxOfOrNull { it.tasks }
    return all.filter { it.tasks == most }
}

private fun ratio(trials: Trials<*>, calls: Int, delay: Int, bound: Bound): Part {
    val of = if (calls == 1) "1 call, $delay ms" else "$calls calls, $delay ms"
    return trials.times(of, "time of the pool / of virtual threads", bound, rounds(trials, calls).ratiosAt(delay))
}

/** The coefficient of determination of a straight line through the pool's times over the delays. */
private fun straight(round: CrossoverRound): Double {
    val (delays, times) = round.poolMs.toList().unzip()
    val (x, y) = delays.average() to times.average()
    val xy = delays.zip(times).sumOf { (d, t) -> (d - x) * (t - y) }
    val xx = delays.sumOf { (it - x) * (it - x) }
    val yy = times.sumOf { (it - y) * (it - y) }
    return if (xx == 0.0 || yy == 0.0) Double.NaN else xy * xy / (xx * yy)
}
