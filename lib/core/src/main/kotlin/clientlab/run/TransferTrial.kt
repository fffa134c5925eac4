package clientlab.run

import clientlab.Trial
import clientlab.client.Client
import clientlab.probe.ServerProbe
import clientlab.workload.Transfer

/** One trial of [Transfer], in this JVM. */
internal class TransferTrial(
    private val spec: TrialSpec,
    private val workload: Transfer,
    private val client: () -> Client,
    private val server: ServerProbe,
) {
    fun run(keep: (Trial) -> Unit) {
        TODO()
    }
}
