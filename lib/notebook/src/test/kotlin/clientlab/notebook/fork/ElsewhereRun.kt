package clientlab.notebook.fork

import clientlab.Experiment
import clientlab.notebook.LabException
import clientlab.notebook.clients
import clientlab.notebook.run
import clientlab.workload.Burst
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.milliseconds

/** Runs a small experiment, with its data in the folder named first, against the delay server whose control port is named second. */
internal object ElsewhereRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val (data, server) = arguments
        System.setProperty("lab.data", data)
        System.setProperty("java.io.tmpdir", data)
        val burst = Burst(clients("urlconnection"), inFlight = listOf(20), delay = 500.milliseconds, timeline = true)
        try {
            Experiment("apart", burst, forks = 1, seed = 5).run(server) { }
            println("finished")
        } catch (e: LabException) {
            println(e.message)
            exitProcess(1)
        }
    }
}
