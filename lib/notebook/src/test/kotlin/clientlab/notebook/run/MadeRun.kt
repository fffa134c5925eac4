package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.openloop.*
import kotlin.time.Duration.Companion.milliseconds

/** A run without forks: what came of each trial is made up. */
internal object MadeRun {
    fun client(id: String) = ClientInfo(id, id, "a:b", "none")

    fun experiment(vararg clients: String, forks: Int = 5): Experiment<*> =
        Experiment("made", Burst(clients.map(::client), inFlight = listOf(10), delay = 100.milliseconds), forks = forks, seed = 7)

    fun duet(forks: Int): Experiment<*> =
        Experiment("made", OpenLoop(listOf("one", "two").map(::client), rate = listOf(100)), forks = forks, seed = 7, duet = true)

    /** The measured trial of [planned], with [durationMs] where that is a number. */
    fun measured(planned: Planned, durationMs: Double? = 100.0, outcome: Outcome = Outcome.Complete): Trial =
        Trial(
            "made",
            planned.round,
            planned.treatment,
            warmup = false,
            outcome = outcome,
            metrics = durationMs?.let { mapOf("durationMs" to it) }.orEmpty(),
        )

    /** Measures one trial after the other by [trial]. */
    fun each(trial: (Planned) -> List<Trial>): (List<Planned>) -> List<List<Trial>> = { planned -> planned.map(trial) }

    /** What a fork gives back: a warm-up, and what was measured. */
    fun whole(planned: Planned, durationMs: Double? = 100.0, outcome: Outcome = Outcome.Complete): List<Trial> =
        measured(planned, durationMs, outcome).let { listOf(it.copy(warmup = true, metrics = emptyMap()), it) }
}
