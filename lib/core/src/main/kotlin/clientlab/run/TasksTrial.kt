package clientlab.run

import clientlab.Trial
import clientlab.probe.ServerProbe
import clientlab.workload.Tasks

/** One trial of [Tasks], in this JVM. */
internal class TasksTrial(private val spec: TrialSpec, private val workload: Tasks, private val server: ServerProbe) {
    fun run(keep: (Trial) -> Unit) {
        TODO()
    }
}
