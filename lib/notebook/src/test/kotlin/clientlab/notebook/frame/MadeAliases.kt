package clientlab.notebook.frame

import clientlab.*
import clientlab.burst.*
import clientlab.machine.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.run.*
import java.nio.file.Path
import java.util.Random
import kotlin.io.path.createDirectories
import kotlin.time.Duration.Companion.seconds

/** Trials of an A/A run made by hand. */
internal object MadeAliases {
    val experiment = Experiment("aa", Burst(clients("retrofit", "ktor-cio"), inFlight = listOf(100), delay = 1.seconds), forks = 20).aa()

    /** Twenty forks of two clients under two names: times of 1,100 ms within some 20, and as many threads as requests. */
    fun trials(
        forks: Int = 20,
        seed: Long = 1,
        durationMs: (client: String, alias: String, noise: Double) -> Double = ::alike,
    ): List<Trial> {
        val random = Random(seed)
        return List(forks) { round ->
            experiment.treatments.map { treatment ->
                val client = treatment.client.orEmpty()
                val time = durationMs(client, treatment[Factor.ALIAS].orEmpty(), random.nextGaussian())
                MadeTrials
                    .trial(client, 100, round, metrics = mapOf("durationMs" to time, "threadsBlocked" to 100.0, "batches" to 0.0))
                    .copy(treatment = treatment)
            }
        }.flatten()
    }

    private fun alike(client: String, alias: String, noise: Double) = 1_100 + 20 * noise

    /** Publishes [trials] as the folder [name] below [published], as a run would be. */
    fun publish(published: Path, name: String, trials: List<Trial>) {
        val folder = published.resolve(name).createDirectories()
        Manifest(
            run = "20261121-130000-aaaa",
            experiment = experiment,
            startedAt = "2026-11-21T13:00:00Z",
            machine = Machine("Linux", "A processor", 2, 1, 1, 0.1, "25", "Somebody", "A VM"),
            versions = emptyMap(),
            jars = emptyMap(),
            jvmArgs = emptyList(),
            state = "finished",
        ).write(folder)
        Journal(folder).use { journal -> trials.forEach { journal.append(listOf(it)) } }
    }
}
