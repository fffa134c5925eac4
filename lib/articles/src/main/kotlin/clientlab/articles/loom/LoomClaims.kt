package clientlab.articles.loom

import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import kotlin.math.max
import kotlin.math.min

private const val SOURCE = "002"
private const val VIRTUAL = LoomSource.VIRTUAL
private const val POOL = LoomSource.POOL
private val GRID = listOf("tasks-2026-11")
private val MANY = listOf("tasks-many-2026-11")
private val CONTROL = listOf("tasks-control-2026-11")
private val POOLS = listOf("tasks-pools-2026-11")
private val DELAYS = 0..5

/** "About the same": at most as far apart as the source's own times of virtual threads, 2.976 and 2.731 s. */
private val SAME = Bound(0.9, 1.1)
private val FASTER = Bound(low = 1.0)
private val SLOWER = Bound(high = 1.0)

/**
 * What source 002 (D. Vlijmincx, *Virtual vs Platform Threads for API Calls*, 2024) says about virtual threads, and what we found when
 * reading it.
 */
internal val loomClaims: List<Claim> =
    listOf(
        Claim(
            id = "loom.delay",
            source = SOURCE,
            words = "Virtual threads get a little faster with more delay.",
            figure = "2.98 s at 0 ms, 2.73 s at 4 ms",
            evidence = MANY,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(1, 2).map { calls -> part("$calls a task", "time at 4 ms / at 0 ms", SLOWER, overDelay(trials, calls, 4), time()) }
        },
        Claim(
            id = "loom.many",
            source = SOURCE,
            words = "Virtual threads pay off from some thousands of tasks that wait more than they compute.",
            figure = "stated (JEP 444)",
            evidence = POOLS,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("pool-64", "pool-512").map { pool ->
                val ratios = trials.crossoverRounds().filter { it.pool == pool && it.tasks >= THOUSANDS }.ratiosAt(PAYING_MS)
                part("$THOUSANDS tasks, $PAYING_MS ms", "time of $pool / of virtual threads", FASTER, ratios, time())
            }
        },
        Claim(
            id = "loom.flat",
            source = SOURCE,
            words = "Virtual threads need about the same time whatever the delay.",
            figure = "2.73 to 2.98 s at 0 to 5 ms",
            evidence = MANY,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(1, 2).flatMap { calls ->
                listOf(4, 5).map { part("$calls a task", "time at $it ms / at 0 ms", SAME, overDelay(trials, calls, it), time()) }
            }
        },
        Claim(
            id = "loom.linear",
            source = SOURCE,
            words = "The fixed pool's time grows with the delay, in a straight line.",
            figure = "0.81 to 2.32 s (1 call), 1.61 to 4.63 s (2 calls)",
            evidence = GRID,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(1, 2).flatMap { calls ->
                val rounds = rounds(trials, calls).filter { it.poolMs.keys.containsAll(listOf(DELAYS.first, DELAYS.last)) }
                val growth = rounds.map { it.poolMs.getValue(DELAYS.last) / it.poolMs.getValue(DELAYS.first) }
                listOf(
                    part("$calls a task", "time at 5 ms / at 0 ms", Bound(low = 2.0), growth, time()),
                    part("$calls a task", "share of variance that a straight line explains", Bound(low = 0.95), rounds.map(::straight)),
                )
            }
        },
        Claim(
            id = "loom.one",
            source = SOURCE,
            words = "With one call a task the pool is faster at each delay from 0 to 5 ms, so while a response takes less than 9 ms.",
            figure = "all six points",
            evidence = GRID,
            notebook = NOTEBOOK,
        ) { trials -> DELAYS.map { ratio(trials, 1, it, SLOWER) } },
        Claim(
            id = "loom.two",
            source = SOURCE,
            words = "With two calls a task virtual threads are faster from 2 ms of delay on, and the pool below.",
            figure = "2.918 ± 0.004 against 2.876 ± 0.112 s at 2 ms",
            evidence = GRID,
            notebook = NOTEBOOK,
        ) { trials -> DELAYS.map { ratio(trials, 2, it, if (it < 2) SLOWER else FASTER) } },
        Claim(
            id = "loom.calls",
            source = SOURCE,
            words = "Virtual threads need the same time for one and for two calls a task.",
            figure = "2.98 and 2.91 s",
            evidence = MANY,
            notebook = NOTEBOOK,
        ) { trials -> listOf(0, 5).map { part("$it ms", "time of 2 calls / of 1", SAME, overCalls(trials, it), time()) } },
        Claim(
            id = "loom.base",
            source = SOURCE,
            words = "A base of 4 ms and the pool's times fit together only if \"as many threads as processors\" were about fifty.",
            figure = "4 ms; 0.808 and 1.614 s",
            evidence = emptyList(),
            notebook = NOTEBOOK,
        ) {
            listOf(1, 2).map { calls ->
                val time = LoomSource.of(POOL, calls, 0)
                val (value, low, high) = listOf(time.seconds, time.high, time.low).map {
                    LoomSource.threadsFor(it, calls, LoomSource.BASE_MS)
                }
                Part("$calls a task", "threads that the source's time takes", Bound(45.0, 55.0), ofSource(value, low, high))
            }
        },
        Claim(
            id = "loom.overlap",
            source = SOURCE,
            words = "At 2 ms and two calls, where the source sees virtual threads overtake, its own intervals overlap.",
            figure = "2.918 ± 0.004 against 2.876 ± 0.112 s",
            evidence = emptyList(),
            notebook = NOTEBOOK,
        ) {
            val (pool, virtual) = listOf(POOL, VIRTUAL).map { LoomSource.of(it, 2, 2) }
            val overlap = (min(pool.high, virtual.high) - max(pool.low, virtual.low)) * 1e3
            listOf(Part("2 calls, 2 ms", "ms that both intervals hold", Bound(low = 0.0), ofSource(overlap, overlap, overlap)))
        },
        Claim(
            id = "loom.cap",
            source = SOURCE,
            words =
                "What the source compares is a limit with none: behind a semaphore of the pool's size virtual threads take the pool's time.",
            figure = "found by reading: two things vary at once",
            evidence = CONTROL,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf("processors", "8").flatMap { size ->
                val (pool, limited) = listOf("pool-$size", "virtual-limited-$size").map { at(trials, it, 1, DELAYS.last) }
                listOf(
                    part(
                        "limit $size",
                        "time of virtual threads behind a semaphore / of the pool, at 5 ms",
                        SAME,
                        paired(limited, pool),
                        time(),
                    ),
                    part("limit $size", "most in flight / limit, virtual threads, as the server saw it", SLOWER, filled(limited)),
                    part("limit $size", "most in flight / limit, pool, as the server saw it", SLOWER, filled(pool)),
                )
            }
        },
        Claim(
            id = "loom.saturated",
            source = SOURCE,
            words =
                "The source's virtual threads take as long for 10,000 calls as for 20,000, so something else is saturated; here it is the processors.",
            figure = "2.98 and 2.91 s at 0 ms",
            evidence = MANY,
            notebook = NOTEBOOK,
        ) { trials ->
            DELAYS.map { delay ->
                val (one, two) = listOf(1, 2).map { LoomSource.of(VIRTUAL, it, delay) }
                val estimate = ofSource(two.seconds / one.seconds, two.low / one.high, two.high / one.low)
                Part("source, $delay ms", "time of 2 calls / of 1", Bound(low = 0.8, high = 1.25), estimate)
            } + listOf(1, 2).map { calls ->
                val busy = at(trials, VIRTUAL, calls, 0)?.busy().orEmpty()
                part("here, $calls a task, 0 ms", "share of all processors in use", Bound(low = 0.85), busy)
            }
        },
    )

private const val THOUSANDS = 10_000
private const val PAYING_MS = 100

private fun part(of: String, metric: String, bound: Bound, values: List<Double>, floor: NoiseFloor? = null) =
    Part.median(of, metric, bound, values, floor)

private fun time() = NoiseFloors.ratio(Tasks::class, "durationMs")

private fun ofSource(value: Double, low: Double, high: Double) =
    Estimate(value, low, high, LoomSource.ITERATIONS, "the source's own interval, 99.9 % over ten iterations of one fork")

/** The undisturbed trials of [executor] with the largest number of tasks, or none. */
private fun at(trials: Trials<*>, executor: String, calls: Int, delay: Int): TreatmentTrials? =
    trials
        .taskGroups()
        .filter { it.executor == executor && it.calls == calls && it.delayMs == delay && !it.recorded && it.asItComes }
        .maxByOrNull { it.tasks }

private fun filled(group: TreatmentTrials?): List<Double> {
    val limits = group?.byRound("executorLimit").orEmpty()
    return group?.byRound("inFlightPeak").orEmpty().mapNotNull { (round, peak) -> limits[round]?.let { peak / it } }
}

/** Time of [group] / time of [other] in the same round, one value per round. */
private fun paired(group: TreatmentTrials?, other: TreatmentTrials?): List<Double> {
    val others = other?.byRound("durationMs").orEmpty()
    return group?.byRound("durationMs").orEmpty().mapNotNull { (round, time) -> others[round]?.let { time / it } }
}

private fun overDelay(trials: Trials<*>, calls: Int, delay: Int) = paired(at(trials, VIRTUAL, calls, delay), at(trials, VIRTUAL, calls, 0))

private fun overCalls(trials: Trials<*>, delay: Int) = paired(at(trials, VIRTUAL, 2, delay), at(trials, VIRTUAL, 1, delay))

private fun rounds(trials: Trials<*>, calls: Int): List<CrossoverRound> {
    val all = trials.crossoverRounds().filter { it.pool == POOL && it.calls == calls }
    val most = all.maxOfOrNull { it.tasks }
    return all.filter { it.tasks == most }
}

private fun ratio(trials: Trials<*>, calls: Int, delay: Int, bound: Bound): Part {
    val of = if (calls == 1) "1 call, $delay ms" else "$calls calls, $delay ms"
    return Part(of, "time of the pool / of virtual threads", bound, Bootstrap.median(rounds(trials, calls).ratiosAt(delay)), time())
}

/** The coefficient of determination of a straight line through the pool's times over the delays. */
private fun straight(round: CrossoverRound): Double {
    val (delays, times) = round.poolMs
        .toList()
        .map { (delay, time) -> delay.toDouble() to time }
        .unzip()
    val (x, y) = delays.average() to times.average()
    val xy = delays.zip(times).sumOf { (d, t) -> (d - x) * (t - y) }
    val xx = delays.sumOf { (it - x) * (it - x) }
    val yy = times.sumOf { (it - y) * (it - y) }
    return if (xx == 0.0 || yy == 0.0) Double.NaN else xy * xy / (xx * yy)
}
