package clientlab.notebook.made

import clientlab.*
import clientlab.idle.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.api.cast

/** Trials of tasks made by hand: what one more of a mechanism takes is given, and forks differ by a little that is the same every time. */
internal object MadeMemory {
    val LINE = listOf(0, 1, 2, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000)
    val PER_TASK = mapOf("threads" to 60_000.0, "pool" to 60_000.0, "virtual" to 2_500.0, "coroutines" to 10_000.0)

    fun trial(
        mechanism: String,
        tasks: Int,
        round: Int,
        bytes: Double,
        start: String = "cold",
        state: String = "waiting",
        depth: Int = 0,
        options: String? = null,
        outcome: Outcome = Outcome.Complete,
    ): Trial {
        val levels =
            listOf(
                Factor.MECHANISM to mechanism,
                Factor.TASKS to tasks,
                Factor.STATE to state,
                Factor.STACK_DEPTH to depth,
                Factor.INSTRUMENT to "collected",
                Factor.START to start,
            ) + listOfNotNull(options?.let { Factor.JVM_ARGS to it })
        return Trial(
            experiment = "memory",
            round = round,
            treatment = Treatment(*levels.toTypedArray()),
            warmup = false,
            outcome = outcome,
            metrics =
                mapOf(
                    "memoryGrowthBytes" to bytes,
                    "heapGrowthBytes" to bytes / 4,
                    "residentGrowthBytes" to bytes * 3 / 4,
                    "reservedGrowthBytes" to tasks * 1e6,
                    "uncollectedGrowthBytes" to bytes,
                    "nonHeapGrowthBytes" to 1e5,
                    "classesGrowth" to 20.0,
                    "osThreadsGrowth" to 1.0,
                ),
        )
    }

    /** [forks] of each point of [tasks]: the first task takes [first] times as much as the rest. */
    fun forks(
        perTask: Map<String, Double> = PER_TASK,
        forks: Int = 6,
        first: Double = 5.0,
        tasks: List<Int> = LINE,
        start: String = "cold",
        seed: Int = 0,
    ): List<Trial> =
        perTask.flatMap { (mechanism, bytes) ->
            tasks.flatMap { n ->
                List(forks) { round ->
                    val off = 1 + 0.01 * ((round * 7 + n + seed) % 5 - 2)
                    trial(mechanism, n, round, 20_000.0 + (if (n == 0) 0.0 else (n - 1 + first) * bytes * off), start)
                }
            }
        }

    fun frame(trials: List<Trial>): Trials<IdleTasks> = trials.toTrials(MadeTrials.RUN).cast()

    const val AS_IT_COMES = IdleTasks.AS_IT_COMES
}
