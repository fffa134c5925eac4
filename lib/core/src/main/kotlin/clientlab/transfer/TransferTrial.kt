package clientlab.transfer

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import java.util.ServiceLoader

/** One trial of [Transfer], in this JVM: by an I/O API, by a client over HTTP, or of what is left after close. */
internal class TransferTrial(private val scope: TrialScope, private val workload: Transfer) {
    private val operation = Operation.entries.first { it.label == scope.treatment[Factor.OPERATION] }
    private val bytes = scope.treatment.number(Factor.BYTES)

    fun run() {
        val result =
            when {
                operation.overHttp -> HttpTransfers(scope, workload, operation, bytes).measure(scope.client())
                operation == Operation.Close || operation == Operation.PeerClose -> closing()
                else -> LocalTransfers(operation, bytes, workload).measure(ioApi())
            }
        val trial = scope.trial(Judgement.of(result.reasons, result.warnings), result.numbers, result.evidence)
        scope.keep(trial.copy(curves = result.curves))
    }

    private fun closing() = Closing(operation, bytes, workload.iterations).measure(ioApi())

    private fun ioApi(): IoApiEntry {
        val id = scope.treatment[Factor.IO_API]
        val entries = ServiceLoader.load(IoApiCatalogue::class.java).flatMap { it.entries }
        val entry = entries.firstOrNull { it.info.id == id }
        refuseUnless(entry != null) { "No I/O API '$id' on this classpath; it has ${entries.joinToString { it.info.id }}." }
        return entry!!
    }
}

/** Platform threads now, without those of the harness. */
internal fun threadsNow(): Int = ThreadProbe(ThreadOwners(emptyList())) { false }.baseline().live.size

/** The text of [failure], as the end of a sentence. */
internal fun said(failure: Throwable): String = failure.toString().trimEnd('.') + "."

/** The result of a transfer: complete if there are no [reasons] against it. */
internal class TransferResult(
    val numbers: Numbers,
    val reasons: List<String>,
    val warnings: List<String> = emptyList(),
    val curves: Map<String, List<List<Double>>> = emptyMap(),
    val evidence: Evidence? = null,
)

/** A sentence if [found] bytes differ from the [asked] ones, otherwise null. */
internal fun wrongLength(asked: Long, found: Long?): String? =
    if (found == null || found == asked) null else "$found of $asked bytes arrived."

/** A sentence if a checksum differs from that of the sent bytes, otherwise null. */
internal fun wrongChecksum(sent: Long, found: Long?): String? =
    if (found == null || found == sent) {
        null
    } else {
        "The checksum differs: %08x was sent and %08x arrived.".format(java.util.Locale.ROOT, sent, found)
    }
