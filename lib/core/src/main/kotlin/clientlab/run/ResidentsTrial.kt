package clientlab.run

import clientlab.Trial
import clientlab.workload.Residents

/** One trial of [Residents], in this JVM. */
internal class ResidentsTrial(private val spec: TrialSpec, private val workload: Residents) {
    fun run(keep: (Trial) -> Unit) {
        TODO()
    }
}
