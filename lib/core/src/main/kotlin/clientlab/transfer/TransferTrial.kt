package clientlab.transfer

import clientlab.Evidence
import clientlab.Factor
import clientlab.Outcome
import clientlab.Trial
import clientlab.client.Client
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadOwners
import clientlab.probe.ThreadProbe
import clientlab.trial.TrialSpec
import java.util.ServiceLoader

/** One trial of [Transfer], in this JVM: by a means, by a client over HTTP, or of what is left after close. */
internal class TransferTrial(
    private val spec: TrialSpec,
    private val workload: Transfer,
    private val client: () -> Client,
    private val server: ServerProbe,
) {
    private val operation = Operation.entries.first { it.label == spec.treatment[Factor.OPERATION] }
    private val bytes = spec.treatment.number(Factor.BYTES)

    fun run(keep: (Trial) -> Unit) {
        val result =
            when {
                operation.overHttp -> HttpTransfers(spec, workload, operation, bytes, server).measure(client())

                operation == Operation.Close || operation == Operation.PeerClose -> Closing(
                    operation,
                    bytes,
                    workload.iterations,
                ).measure(ioApis())

                else -> LocalTransfers(operation, bytes, workload).measure(ioApis())
            }
        keep(
            Trial(
                experiment = spec.experiment,
                round = spec.round,
                treatment = spec.treatment,
                warmup = false,
                outcome = if (result.reasons.isEmpty()) Outcome.Complete else Outcome.Invalid,
                reasons = result.reasons,
                warnings = result.warnings,
                metrics = result.metrics,
                evidence = result.evidence,
                curves = result.curves,
            ),
        )
    }

    private fun ioApis(): IoApiEntry {
        val id = spec.treatment[Factor.IO_API]
        val entries = ServiceLoader.load(IoApiCatalogue::class.java).flatMap { it.entries }
        return requireNotNull(entries.firstOrNull { it.info.id == id }) {
            "No means '$id' on this classpath; it has ${entries.joinToString { it.info.id }}."
        }
    }
}

/** Platform threads now, without those of the harness. */
internal fun threadsNow(): Int = ThreadProbe(ThreadOwners(emptyList())) { false }.baseline().live.size

/** What [failure] says of itself, as the end of a sentence. */
internal fun said(failure: Throwable): String = failure.toString().trimEnd('.') + "."

/** What a transfer came to: complete where there are no [reasons] against it. */
internal class TransferResult(
    val metrics: Map<String, Double>,
    val reasons: List<String>,
    val warnings: List<String> = emptyList(),
    val curves: Map<String, List<List<Double>>> = emptyMap(),
    val evidence: Evidence? = null,
)

/** The sentence for [found] bytes where [asked] were to be moved, or null where they are as many. */
internal fun wrongLength(asked: Long, found: Long?): String? =
    if (found == null || found == asked) null else "$found of $asked bytes arrived."

/** The sentence for a checksum that is not the one of what was sent, or null where it is. */
internal fun wrongChecksum(sent: Long, found: Long?): String? =
    if (found == null || found == sent) {
        null
    } else {
        "The checksum differs: %08x was sent and %08x arrived.".format(java.util.Locale.ROOT, sent, found)
    }
