package clientlab.articles.memory

import clientlab.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val SOURCE = "003"
private val EVIDENCE = listOf("memory-2026-11")
private val COMPUTING = listOf("memory-cpu-2026-11")
private const val KB = 1e-3
private const val MB = 1e-6
private const val THREADS = "threads"
private const val POOL = "pool"
private const val VIRTUAL = "virtual"
private const val COROUTINES = "coroutines"

/** The three mechanisms that the source measured. */
private val MEASURED = listOf(THREADS, POOL, COROUTINES)
private val FIRST = listOf(0, 1)
private val LOW = listOf(100, 500, 1_000)
private val HIGH = listOf(1_000, 5_000, 10_000)
private val HUNDREDS = listOf(100, 500)
private val LINE = listOf(0, 1, 2, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000)

/** What source 003 (V. Zukanov, TechYourChance, on Android) says, and what reading it finds. */
internal val memoryClaims: List<Claim> =
    listOf(
        Claim(
            id = "memory.linear",
            source = SOURCE,
            words =
                "Memory grows linearly with the number of waiting tasks, for each mechanism: one more takes the same whether there are hundreds or thousands.",
            figure = "linear fits",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            (MEASURED + VIRTUAL).map { name ->
                val straight =
                    Slope.over(listOf(trials.waiting(name, (LOW + HIGH).distinct()))) { (all) ->
                        all.at { it in HIGH }.slope() / all.at { it in LOW }.slope()
                    }
                Part(name, "one more beyond 1,000 / one more from 100 to 1,000", Bound(0.8, 1.25), straight)
            }
        },
        Claim(
            id = "memory.pool",
            source = SOURCE,
            words = "Bare threads and the threads of a pool take the same memory a task.",
            figure = "the lines coincide",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            val ratio = Slope.ratio(trials.waiting(POOL), trials.waiting(THREADS))
            listOf(Part("pool : threads", "ratio of slopes", Bound(0.9, 1.1), ratio, trials.ofRounds(POOL, THREADS)))
        },
        Claim(
            id = "memory.ratio",
            source = SOURCE,
            words = "A waiting thread takes about six times the memory of a waiting coroutine.",
            figure = "6:1",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(
                Part(
                    "threads : coroutines",
                    "ratio of slopes",
                    Bound(5.0, 7.0),
                    Slope.ratio(trials.waiting(THREADS), trials.waiting(COROUTINES)),
                    trials.ofRounds(THREADS, COROUTINES),
                ),
            )
        },
        Claim(
            id = "memory.tens",
            source = SOURCE,
            words = "A live thread takes tens of kB.",
            figure = "tens of kB",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(THREADS, POOL).map { Part(it, "kB a task", Bound(10.0, 100.0), Slope.of(trials.waiting(it), KB)) }
        },
        Claim(
            id = "memory.hundreds",
            source = SOURCE,
            words = "Hundreds of waiting tasks differ by a few MB in all, be they threads or coroutines.",
            figure = "several megabytes",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            HUNDREDS.map { n ->
                val more = Slope.over(listOf(trials.waiting(THREADS), trials.waiting(COROUTINES))) { (a, b) ->
                    (a.median(n) - b.median(n)) *
                        MB
                }
                Part("threads less coroutines", "MB for $n tasks", Bound(high = 10.0), more)
            }
        },
        Claim(
            id = "memory.first",
            source = SOURCE,
            words = "The first few tasks take another amount than the rest: at least twice as much, or at most half.",
            figure = "stated, unexplained",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            (MEASURED + VIRTUAL).map { name ->
                val odd =
                    Slope.over(listOf(trials.waiting(name, FIRST + LINE.filter { it >= BEYOND_FIRST }))) { (all) ->
                        apart((all.median(1) - all.median(0)) / all.at { it >= BEYOND_FIRST }.slope())
                    }
                Part(name, "the first task against one more of the rest, larger over smaller", Bound(low = 2.0), odd)
            }
        },
        Claim(
            id = "memory.cpu",
            source = SOURCE,
            words = "For work that is bound by the processor, coroutines save no memory beside a pool of as many threads as processors.",
            figure = "stated, not measured",
            evidence = COMPUTING,
            notebook = NOTEBOOK,
        ) { trials ->
            listOf(10, 100).map { n ->
                val (coroutines, pool) = listOf(COROUTINES, POOL).map { name ->
                    trials.points(name, tasks = listOf(n)) {
                        it[Factor.STATE] ==
                            "computing"
                    }
                }
                Part("coroutines : pool", "memory of $n tasks", Bound(low = 0.9), Bootstrap.ratio(coroutines.forks(n), pool.forks(n)))
            }
        },
        Claim(
            id = "memory.fit",
            source = SOURCE,
            words =
                "A line through averages that include the odd first tasks has another slope than one through the rest: it differs by a twentieth or more.",
            figure = "three repeats, a fixed order",
            evidence = EVIDENCE,
            notebook = NOTEBOOK,
        ) { trials ->
            MEASURED.map { name ->
                val tilted =
                    Slope.over(listOf(trials.waiting(name, LINE.filter { it in 1..HUNDREDS.max() }))) { (all) ->
                        apart(all.slope() / all.at { it >= BEYOND_FIRST }.slope())
                    }
                Part(name, "slope with the first tasks against without, up to 500, larger over smaller", Bound(low = 1.05), tilted)
            }
        },
    )

/** The noise of ratios of slopes, from the same trials: each of [mechanisms] in even rounds compared with itself in odd rounds. */
private fun Trials<*>.ofRounds(vararg mechanisms: String): NoiseFloor? {
    val halves = mechanisms.map { name ->
        val (even, odd) = listOf(0, 1).map { parity -> points(name, tasks = LINE, rounds = { it % 2 == parity }, where = ::asInSource) }
        Slope.ratio(even, odd)
    }
    return NoiseFloor.ofRatios(halves, "even against odd rounds")
}

/** The waiting tasks as in the source: cold, with empty stacks, in a JVM with its defaults. */
private fun Trials<*>.waiting(
    mechanism: String,
    tasks: List<Int> = LINE,
): ForkPoints = points(mechanism, tasks = tasks, where = ::asInSource)

private fun asInSource(group: TreatmentTrials) =
    group[Factor.STATE] == "waiting" && group.number(Factor.STACK_DEPTH) == 0L && group[Factor.INSTRUMENT] == "collected" &&
        group[Factor.START] == "cold" && (group[Factor.JVM_ARGS] ?: AS_IT_COMES) == AS_IT_COMES

private fun ForkPoints.forks(n: Int) = values[n].orEmpty()

/** The distance of [ratio] from 1 in either direction; a first task that seems to take nothing has the largest distance. */
private fun apart(ratio: Double): Double = if (ratio <= 1 / FARTHEST) FARTHEST else minOf(FARTHEST, maxOf(ratio, 1 / ratio))

private const val FARTHEST = 10_000.0
private const val AS_IT_COMES = "as it comes"
