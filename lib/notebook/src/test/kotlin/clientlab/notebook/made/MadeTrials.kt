package clientlab.notebook.made

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.api.cast

/** Trials made by hand: what is not named is as in a complete trial of a client that holds one thread a request. */
internal object MadeTrials {
    const val RUN = "20261121-120000-abcd"

    fun trial(
        client: String,
        inFlight: Int = 100,
        round: Int = 0,
        outcome: Outcome = Outcome.Complete,
        start: String = "warm",
        warmup: Boolean = false,
        reasons: List<String> = emptyList(),
        warnings: List<String> = emptyList(),
        left: List<String> = emptyList(),
        metrics: Map<String, Double> = mapOf("durationMs" to 2100.0, "threadsBlocked" to inFlight.toDouble()),
    ): Trial =
        Trial(
            experiment = "made",
            round = round,
            treatment =
                Treatment(
                    Factor.CLIENT to client,
                    Factor.PROTOCOL to "http/1.1",
                    Factor.IN_FLIGHT to inFlight,
                    Factor.DELAY_MS to 2000,
                    Factor.START to start,
                ),
            warmup = warmup,
            outcome = outcome,
            reasons = reasons,
            warnings = warnings,
            metrics = metrics,
            leaks = Leaks(threads = left),
        )

    /** Six forks of [client] at each of [levels], with the metrics that [metrics] gives for a level and a round. */
    fun forks(
        client: String,
        vararg levels: Int,
        outcome: Outcome = Outcome.Complete,
        start: String = "warm",
        forks: Int = 6,
        left: List<String> = emptyList(),
        metrics: (inFlight: Int, round: Int) -> Map<String, Double>,
    ): List<Trial> =
        levels.flatMap { level ->
            List(forks) { round -> trial(client, level, round, outcome, start, left = left, metrics = metrics(level, round)) }
        }

    /** These trials as those of the workload [W]. */
    fun <W : Workload> of(vararg trials: Trial): Trials<W> = trials.toList().toTrials(RUN).cast()

    fun frame(vararg trials: Trial): Trials<Burst> = trials.toList().toTrials(RUN).cast()
}
