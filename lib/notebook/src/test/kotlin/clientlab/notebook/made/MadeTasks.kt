package clientlab.notebook.made

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.tasks.*
import org.jetbrains.kotlinx.dataframe.api.cast

/** Trials of tasks made by hand; times in milliseconds. */
internal object MadeTasks {
    const val RUN = "20261121-130000-abcd"

    fun trial(
        executor: String,
        round: Int,
        durationMs: Double,
        tasks: Int = 1_000,
        calls: Int = 1,
        delayMs: Int = 0,
        instrument: String = "none",
        jvmArgs: String = "none",
        outcome: Outcome = Outcome.Complete,
        metrics: Map<String, Double> = emptyMap(),
    ): Trial {
        val size = executor.substringAfterLast('-')
        val limit = if (executor == "virtual" || executor == "coroutines-virtual") null else size.toDoubleOrNull() ?: PROCESSORS
        return Trial(
            experiment = "made",
            round = round,
            treatment =
                Treatment(
                    Factor.EXECUTOR to executor,
                    Factor.TASKS to tasks,
                    Factor.CALLS to calls,
                    Factor.DELAY_MS to delayMs,
                    Factor.INSTRUMENT to instrument,
                    Factor.JVM_ARGS to jvmArgs,
                ),
            warmup = false,
            outcome = outcome,
            metrics =
                buildMap {
                    put("durationMs", durationMs)
                    put("baseLatencyMs", BASE_MS)
                    put("processors", PROCESSORS)
                    put("cpuShare", 0.7)
                    put("serverCpuShare", 0.25)
                    put("machineShare", 0.95)
                    put("cpuSeconds", durationMs / 1e3)
                    put("connectionsOpened", 10.0)
                    put("connectionsPeak", 10.0)
                    put("inFlightPeak", limit ?: 900.0)
                    limit?.let { put("executorLimit", it) }
                    putAll(metrics)
                },
        )
    }

    /** [forks] rounds of [executor] at each of [delays], whose time [ms] gives by delay and number of calls. */
    fun forks(
        executor: String,
        delays: Iterable<Int> = 0..5,
        calls: List<Int> = listOf(1),
        tasks: Int = 1_000,
        forks: Int = 6,
        metrics: Map<String, Double> = emptyMap(),
        ms: (delay: Int, calls: Int) -> Double,
    ): List<Trial> =
        delays.flatMap { delay ->
            calls.flatMap { count ->
                List(forks) { round ->
                    trial(executor, round, ms(delay, count) * (1 + round * JITTER), tasks, count, delay, metrics = metrics)
                }
            }
        }

    fun frame(trials: List<Trial>): Trials<Tasks> = trials.toTrials(RUN).cast()

    private const val PROCESSORS = 2.0
    private const val BASE_MS = 0.5
    private const val JITTER = 0.002
}
