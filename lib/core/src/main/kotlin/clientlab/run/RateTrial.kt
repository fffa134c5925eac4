package clientlab.run

import clientlab.Trial
import clientlab.probe.ServerProbe
import clientlab.workload.Rate

/** One trial of [Rate], in this JVM. */
internal class RateTrial(private val spec: TrialSpec, private val workload: Rate, private val server: ServerProbe) {
    fun run(keep: (Trial) -> Unit) {
        TODO()
    }
}
