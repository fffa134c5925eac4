package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.journal.*
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.milliseconds

/**
 * A harness to be killed: begins a small run in the folder of data named first, or goes on with the one there, of as many rounds as named
 * second, and prints a line before each trial.
 */
internal object KillRun {
    fun experiment(rounds: Int): Experiment<*> =
        Experiment(
            "killed",
            Burst(clients("urlconnection", "retrofit"), inFlight = listOf(3), delay = 50.milliseconds, threads = false),
            forks = rounds,
            seed = 11,
        )

    @JvmStatic
    fun main(arguments: Array<String>) {
        val (data, rounds) = arguments
        System.setProperty("lab.data", data)
        System.setProperty("java.io.tmpdir", data)
        println("began")
        val experiment = experiment(rounds.toInt())
        val run = Run(experiment, { println("${it.done} of ${it.total}") }, CatalogueReader.catalogue.versions)
        try {
            val there = RunFolder.all(experiment.name).firstOrNull()
            // One that was killed when it had finished, and before it said so, has nothing left to do.
            if (there == null) {
                run.execute()
            } else if (there.manifest.state != "finished") {
                run.resume(null, anyway = false)
            }
            println("finished")
        } catch (e: LabException) {
            println(e.message)
            exitProcess(1)
        }
    }
}
