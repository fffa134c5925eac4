package clientlab.run

import clientlab.Factor
import clientlab.Trial
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.ClientCatalogue
import clientlab.client.ClientInfo
import clientlab.probe.ServerProbe
import clientlab.workload.Audit
import clientlab.workload.Burst
import clientlab.workload.ClosedLoop
import clientlab.workload.Latency
import clientlab.workload.Rate
import clientlab.workload.Residents
import clientlab.workload.Server
import clientlab.workload.Tasks
import clientlab.workload.Transfer
import clientlab.workload.Within
import java.io.ObjectInputStream
import java.nio.file.Path
import java.util.ServiceLoader
import kotlin.io.path.inputStream

/** Runs the trial of [spec]: one file a workload says how. */
internal class TrialRunner(
    private val spec: TrialSpec,
    private val server: ServerProbe,
) {
    fun run(keep: (Trial) -> Unit) {
        when (val workload = spec.workload) {
            is Burst -> burst(workload, keep)
            is Tasks -> TasksTrial(spec, workload, server).run(keep)
            is Residents -> ResidentsTrial(spec, workload).run(keep)
            is Transfer -> TransferTrial(spec, workload, ::client, server).run(keep)
            is Rate -> RateTrial(spec, workload, server).run(keep)
            is Latency -> LatencyTrial(spec, workload, client(), server).run(keep)
            is Within -> WithinTrial(spec, workload, server).run(keep)
            is Audit -> AuditTrial(spec, workload, client(), server).run(keep)
            is ClosedLoop -> ClosedLoopTrial(spec, workload, client(), server).run(keep)
        }
    }

    private fun burst(workload: Burst, keep: (Trial) -> Unit) =
        if (spec.treatment[Factor.SERVER] == Server.Jetty.label) {
            JettyTrial(spec, workload, client(), server).run(keep)
        } else {
            BurstTrial(spec, workload, client(), server).run(keep)
        }

    private fun client(): Client {
        spec.carried?.let { return carried(Path.of(it)) }
        // A version is a matter of the classpath: the adapter is the same.
        val id = spec.treatment.client?.let { ClientInfo.unversioned(it) }
        val entries: List<CatalogueEntry> = ServiceLoader.load(ClientCatalogue::class.java).flatMap { it.entries }
        val entry = entries.firstOrNull { it.info.id == id }
        return requireNotNull(entry) { "No client '$id' on this classpath; it has ${entries.joinToString { it.info.id }}." }.create()
    }

    private fun carried(file: Path): Client = ObjectInputStream(file.inputStream()).use { it.readObject() as Client }
}
