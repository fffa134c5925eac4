package clientlab.transfer

import clientlab.*
import clientlab.trial.*
import java.util.ServiceLoader

/** The result of a transfer: complete if there are no [reasons] against it. */
internal data class TransferResult(
    val numbers: Numbers,
    val reasons: List<String>,
    val warnings: List<String> = emptyList(),
    val curves: Map<String, List<List<Double>>> = emptyMap(),
    val evidence: Evidence? = null,
)

/** One trial of [Transfer], in this JVM: by an I/O API, by a client over HTTP, or a count of the sockets left after close. */
internal class TransferTrial(private val scope: TrialScope, private val workload: Transfer) {
    fun run() {
        val operation = Operation.entries.first { it.label == scope.treatment[Factor.OPERATION] }
        val bytes = scope.treatment.number(Factor.BYTES)
        val result =
            when (operation) {
                Operation.Download, Operation.Upload -> HttpTransfers(scope, workload, operation, bytes).measure(scope.client())
                Operation.Close, Operation.PeerClose -> Closing(operation, bytes, workload.iterations).measure(ioApi())
                else -> LocalTransfers(operation, bytes, workload).measure(ioApi())
            }
        val trial = scope.trial(Judgement.of(result.reasons, result.warnings), result.numbers, result.evidence)
        scope.keep(trial.copy(curves = result.curves))
    }

    private fun ioApi(): IoApiEntry {
        val id = scope.treatment[Factor.IO_API]?.let(ClientInfo::unversioned)
        val entries = ServiceLoader.load(IoApiCatalogue::class.java).flatMap { it.entries }
        val known = "choose one of ${entries.joinToString { it.info.id }}."
        return entries.firstOrNull { it.info.id == id } ?: throw LabException("This build of the lab has no I/O API '$id': $known")
    }
}
