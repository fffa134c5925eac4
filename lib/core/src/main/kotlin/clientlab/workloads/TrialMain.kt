package clientlab.workloads

import clientlab.Factor
import clientlab.LabException
import clientlab.LabJson
import clientlab.Protocol
import clientlab.Trial
import clientlab.probe.ServerProbe
import clientlab.probe.ThreadOwners
import clientlab.trial.ServerTrust
import clientlab.trial.TrialSpec

/**
 * The main of a trial JVM: reads one [TrialSpec] from standard input, writes one line of JSON a [Trial] to standard output, and ends.
 *
 * It ends at once when its standard input does, so that no trial outlives the notebook that asked for it. What libraries print goes to
 * standard error. It ends by halting: a client's exit hooks, or an unclosed client, would only add to the time.
 */
public fun main() {
    val out = System.out
    System.setOut(System.err)
    val spec = ExperimentJson.decodeFromString<TrialSpec>(readln())
    endWithParent()
    val keep = { trial: Trial -> synchronized(out) { out.println(LabJson.encodeToString(trial)) } }
    try {
        trust(spec).use { ServerProbe(spec.server).use { server -> Workloads.run(spec, server, keep) } }
    } catch (e: Throwable) {
        // A failure is a trial too: whatever ended it, the run goes on and the reason is kept.
        keep(Trial.invalid(spec.experiment, spec.round, spec.treatment, reasonOf(e)))
        e.printStackTrace()
    }
    out.flush()
    Runtime.getRuntime().halt(0)
}

/** Only a trial that speaks TLS has another trust store than the JVM's, so that all others are as they were. */
private fun trust(spec: TrialSpec): ServerTrust? =
    spec.server.certificate
        ?.takeIf { spec.treatment[Factor.PROTOCOL]?.let(Protocol::of)?.tls == true }
        ?.let(::ServerTrust)

private fun endWithParent() {
    Thread.ofPlatform().daemon().name("${ThreadOwners.HARNESS_PREFIX}parent").start {
        while (System.`in`.read() >= 0) Unit
        Runtime.getRuntime().halt(ORPHANED)
    }
}

private fun reasonOf(failure: Throwable): String =
    when (failure) {
        is LabException, is IllegalArgumentException -> failure.message ?: failure.toString()
        else -> failure.toString()
    }

private const val ORPHANED = 3
