package clientlab.workloads

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*

/**
 * The main of a trial JVM: reads one [TrialSpec] from standard input, writes one line of JSON per [Trial] to standard output, and halts,
 * because exit hooks or an unclosed client would only take time. Output of libraries goes to standard error.
 */
public fun main() {
    val out = System.out
    System.setOut(System.err)
    val spec = ExperimentJson.decodeFromString<TrialSpec>(readln())
    endWithParent()
    val keep = { trial: Trial -> synchronized(out) { out.println(LabJson.encodeToString(trial)) } }
    try {
        trust(spec).use { ServerProbe(spec.server).use { server -> Workloads.run(TrialScope(spec, server, write = keep)) } }
    } catch (e: Throwable) {
        // A failure is a trial too: the run continues after any error, and the reason is kept.
        keep(Trial.invalid(spec.experiment, spec.round, spec.treatment, reasonOf(e)))
        e.printStackTrace()
    }
    out.flush()
    Runtime.getRuntime().halt(0)
}

/** Only a trial over TLS has another trust store than the JVM's. */
private fun trust(spec: TrialSpec): ServerTrust? =
    spec.server.certificate
        ?.takeIf { Protocol.entries.any { it.tls && it.label == spec.treatment[Factor.PROTOCOL] } }
        ?.let(::ServerTrust)

private fun reasonOf(failure: Throwable): String =
    failure.message.takeIf { failure is LabException || failure is IllegalArgumentException } ?: failure.toString()
