package clientlab.trial

import clientlab.*
import clientlab.client.*
import clientlab.probe.*

/**
 * What the trials of one fork share: what is asked for, the server that is asked, and how a finished trial is written.
 *
 * @param given the client under test, or null for the one that [spec] names.
 */
internal class TrialScope(
    val spec: TrialSpec,
    val server: ServerProbe,
    private val given: Client? = null,
    private val write: (Trial) -> Unit,
) {
    val treatment: Treatment get() = spec.treatment

    /** The protocol that the treatment asks for; a treatment that names none asks for HTTP/1.1. */
    val protocol: Protocol get() = treatment[Factor.PROTOCOL]?.let(Protocol::of) ?: Protocol.Http1

    fun number(factor: String): Int = treatment.number(factor).toInt()

    fun client(): Client = given ?: spec.client()

    val clientId: String? get() = treatment.client

    /** A trial of this fork with what it measured; invalid if the JVM did not have the processors that [treatment] asks for. */
    fun trial(judgement: Judgement, numbers: Numbers, evidence: Evidence? = null, warmup: Boolean = false): Trial {
        val judged = judgement.and(ProcessorsInForce().reasons(treatment), emptyList())
        return Trial(
            experiment = spec.experiment,
            round = spec.round,
            treatment = treatment,
            warmup = warmup,
            outcome = judged.outcome,
            reasons = judged.reasons,
            warnings = judged.warnings,
            metrics = numbers.mapKeys { (metric, _) -> metric.name },
            evidence = evidence,
        )
    }

    /** Writes [trial]; throws [IllegalStateException] where it has a metric that its workload does not list. */
    fun keep(trial: Trial) {
        val unknown = trial.metrics.keys - spec.workload.metrics.mapTo(HashSet()) { it.name }
        check(unknown.isEmpty()) {
            "This workload does not list the metric '${unknown.first()}', which its trial writes: " +
                "add it to the metrics in the workload's folder."
        }
        write(trial)
    }
}
