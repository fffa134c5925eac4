package clientlab.articles.memory

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

private const val NOTEBOOK = "04-memory"
private const val EVIDENCE = "memory-2026-11e"
private const val COMPUTING = "memory-cpu-2026-11"
private const val MB = 1e-6
private const val THREADS = "threads"
private const val POOL = "pool"
private const val COROUTINES = "coroutines"

/** The three mechanisms that the source measured. */
private val MEASURED = listOf(THREADS, POOL, COROUTINES)
private val FIRST = listOf(0, 1)
private val TENS = listOf(10, 50, 100)
private val HUNDREDS = listOf(100, 500)

/** The numbers of tasks that the source's lines go through. */
private val RANGE = listOf(10, 50, 100, 500)
private val THOUSANDS = listOf(1_000, 5_000, 10_000)

internal class MemoryArticle : NamedArticle(NOTEBOOK, memoryClaims)

/** What source 003 (V. Zukanov, TechYourChance, on Android) says, and what reading it finds. */
internal val memoryClaims: List<Claim> = claims(NOTEBOOK, "003") {
    claim("memory.linear", "linear fits", EVIDENCE)
        .says(
            "On HotSpot memory grows linearly with the number of waiting tasks, for each mechanism: from 10 to 500 tasks one more takes " +
                "the same.",
        ) { trials ->
            MEASURED.map { name ->
                val lines = listOf(trials.waiting(name))
                Part.of(name, "one more from 100 to 500 / one more from 10 to 100", Bound(0.8, 1.25)) { leftOut ->
                    Slope.over(lines, leftOut = leftOut) { (all) -> all.at { it in HUNDREDS }.slope() / all.at { it in TENS }.slope() }
                }
            }
        }
    claim("memory.pool", "the lines coincide", EVIDENCE)
        .says("On HotSpot, from 10 to 500 tasks, bare threads and the threads of a pool take the same memory a task.") { trials ->
            listOf(trials.slopes(POOL, THREADS, Bound(0.9, 1.1)))
        }
    claim("memory.ratio", "6:1", EVIDENCE)
        .says("On HotSpot, from 10 to 500 tasks, a waiting thread takes about six times the memory of a waiting coroutine.") { trials ->
            listOf(trials.slopes(THREADS, COROUTINES, Bound(5.0, 7.0)))
        }
    claim("memory.tens", "tens of kB", EVIDENCE)
        .says("On HotSpot, from 10 to 500 tasks, a live thread takes tens of kB.") { trials ->
            listOf(THREADS, POOL).map { name ->
                Part.of(name, "kB a task", Bound(10.0, 100.0)) { Slope.of(trials.waiting(name), KB, leftOut = it) }
            }
        }
    claim("memory.hundreds", "several megabytes", EVIDENCE)
        .says("On HotSpot hundreds of waiting tasks differ by a few MB in all, be they threads or coroutines.") { trials ->
            HUNDREDS.map { n ->
                val lines = listOf(trials.waiting(THREADS), trials.waiting(COROUTINES))
                Part.of("threads less coroutines", "MB for $n tasks", Bound(high = 10.0)) { leftOut ->
                    Slope.over(lines, leftOut = leftOut) { (a, b) -> (a.median(n) - b.median(n)) * MB }
                }
            }
        }
    claim("memory.first", "stated, unexplained", EVIDENCE)
        .says(
            "On HotSpot the first few tasks take another amount than the rest up to 500: at least twice as much, or at most half.",
        ) { trials ->
            MEASURED.map { name ->
                val lines = listOf(trials.waiting(name, FIRST + RANGE.filter { it >= BEYOND_FIRST }))
                Part.of(name, "the first task against one more of the rest, larger over smaller", Bound(low = 2.0)) { leftOut ->
                    Slope.over(lines, leftOut = leftOut) { (all) ->
                        apart((all.median(1) - all.median(0)) / all.at { it >= BEYOND_FIRST }.slope())
                    }
                }
            }
        }
    claim("memory.cpu", "stated, not measured", COMPUTING)
        .says(
            "For work that is bound by the processor, coroutines save no memory beside a pool of as many threads as processors.",
        ) { trials ->
            listOf(10, 100).map { n ->
                val (coroutines, pool) = listOf(COROUTINES, POOL).map { name ->
                    trials.points(name, tasks = listOf(n)) { it[Factor.STATE] == "computing" }.values[n].orEmpty()
                }
                Part.ratio("coroutines : pool", "memory of $n tasks", Bound(low = 0.9), coroutines, pool)
            }
        }
    about("memory.fit", "three repeats, a fixed order", EVIDENCE)
        .says(
            "A line through averages that include the odd first tasks has another slope than one through the rest: it differs by a " +
                "twentieth or more.",
        ) { trials ->
            MEASURED.map { name ->
                val lines = listOf(trials.waiting(name, listOf(1, 2, 5) + RANGE))
                val words = "slope with the first tasks against without, up to 500, larger over smaller"
                Part.of(name, words, Bound(low = 1.05)) { leftOut ->
                    Slope.over(lines, leftOut = leftOut) { (all) -> apart(all.slope() / all.at { it >= BEYOND_FIRST }.slope()) }
                }
            }
        }
} + claims(NOTEBOOK) {
    claim("memory.beyond", "at most half, set before", EVIDENCE)
        .says("On HotSpot one waiting thread more takes at most half as much beyond 1,000 threads as from 10 to 500.") { trials ->
            listOf(THREADS, POOL).map { name ->
                val lines = listOf(trials.waiting(name, RANGE + THOUSANDS))
                Part.of(name, "one more beyond 1,000 / one more from 10 to 500", Bound(high = 0.5)) { leftOut ->
                    Slope.over(lines, leftOut = leftOut) { (all) -> all.at { it in THOUSANDS }.slope() / all.at { it in RANGE }.slope() }
                }
            }
        }
}

/** The ratio of two slopes. Its noise is of the same trials: each mechanism in even rounds compared with itself in odd rounds. */
private fun Trials<*>.slopes(a: String, b: String, bound: Bound): Part {
    val halves = listOf(a, b).map { evenToOdd(it, RANGE, ::asInSource) }
    return Part.of("$a : $b", "ratio of slopes", bound, NoiseFloor.ofRatios(halves, "even against odd rounds")) {
        Slope.ratio(waiting(a), waiting(b), leftOut = it)
    }
}

/** The waiting tasks as in the source: cold, with empty stacks, in a JVM with its defaults. */
private fun Trials<*>.waiting(
    mechanism: String,
    tasks: List<Int> = RANGE,
): ForkPoints = points(mechanism, tasks = tasks, where = ::asInSource)

private fun asInSource(group: TreatmentTrials) =
    group[Factor.STATE] == "waiting" && group.number(Factor.STACK_DEPTH) == 0L && group[Factor.INSTRUMENT] == "collected" &&
        group[Factor.START] == "cold" && (group[Factor.JVM_ARGS] ?: AS_IT_COMES) == AS_IT_COMES

/** The distance of [ratio] from 1 in either direction; a first task that seems to take nothing has the largest distance. */
private fun apart(ratio: Double): Double = if (ratio <= 1 / FARTHEST) FARTHEST else minOf(FARTHEST, maxOf(ratio, 1 / ratio))

private const val FARTHEST = 10_000.0
private const val AS_IT_COMES = "as it comes"
