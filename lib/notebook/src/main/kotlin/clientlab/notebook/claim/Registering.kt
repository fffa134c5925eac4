package clientlab.notebook.claim

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*
import java.time.LocalDate
import java.time.ZoneOffset

/**
 * Registers claims before their run: writes what each of them states, with a hash, to `data/registered`. Commit these files before the run
 * of [experiment] begins; its manifest then keeps the hashes, and the ledger says that the claim stood before its run.
 *
 * [pattern] is a claim's id, or a topic with an asterisk, as in `register("cost.*", experiment)`. A claim that is registered already and
 * has not changed is left alone. One that has changed needs a reason in [because].
 */
public fun register(pattern: String, experiment: Experiment<*>, because: String? = null): List<String> {
    val claims = Claims.all.filter { matches(pattern, it.id) && it.untestable == null }
    refuseUnless(claims.isNotEmpty()) { "No claim matches '$pattern': write an id as in \"cost.cpu\", or a topic as in \"cost.*\"." }
    return register(claims, Plan.of(experiment), because)
}

/** Registers [claims] for the run that is planned. They need not be in the ledger yet. */
public fun register(claims: List<Claim>, plan: Plan, because: String? = null): List<String> =
    registerStatements(claims.associate { it.id to it.statement(plan) }, because)

/** Writes the [statements] of claims, by id, where they differ from what is registered; returns the files. */
internal fun registerStatements(statements: Map<String, Statement>, because: String?): List<String> {
    val before = Registration.inForce()
    val changed = statements.filter { (id, statement) -> before[id]?.statement != statement }
    val unexplained = changed.keys.firstOrNull { it in before && because.isNullOrBlank() }
    refuseUnless(unexplained == null) {
        "$unexplained is registered with other words, bounds or plans: say why in because = \"…\". It then needs a new run."
    }
    return changed.map { (id, statement) ->
        val number = (before[id]?.number ?: 0) + 1
        val today = LocalDate.now(ZoneOffset.UTC).toString()
        Registration.write(Registration(id, number, today, statement.hash, statement, because.takeIf { number > 1 })).toString()
    }
}

/** What this claim states of a run as planned: its parts come from trials of every treatment that have measured nothing yet. */
public fun Claim.statement(plan: Plan): Statement = statement(listOf(plan), evidence)

/** What it states of several runs that decide it together, to be published as [runs]. */
public fun Claim.statement(plans: List<Plan>, runs: List<String>): Statement {
    val planned = plans.flatMap { plan ->
        plan.treatments.flatMap { treatment ->
            List(plan.forks) { Trial(plan.experiment, it, treatment, warmup = false, outcome = Outcome.Complete) }
        }
    }
    val stated = parts(planned.toTrials("planned")).map { StatedPart(it.of, it.metric, it.bound.low.finite(), it.bound.high.finite()) }
    refuseUnless(stated.isNotEmpty()) {
        "$id has no part for any treatment of ${plans.joinToString { it.experiment }}: nothing would decide it."
    }
    return Statement(block.name, source, words, figure, runs, stated, plans.first(), plans.drop(1))
}

private fun Double.finite() = takeIf { it.isFinite() }

private fun matches(pattern: String, id: String) = if (pattern.endsWith("*")) id.startsWith(pattern.dropLast(1)) else id == pattern

/** Whether this claim stood as it is before the run with the id [run]. */
internal fun Claim.wasRegistered(run: String): Boolean =
    Registration.of(id)?.let { it.hash == hashAt(run) } ?: false

/** The hash of this claim's registration when the run with the id [run] began, or null if it had none. */
private fun Claim.hashAt(run: String): String? = RunFolder.find(run)?.manifest?.registered?.get(id)

/** Whether a claim stood before its runs, in words. */
internal fun Claim.registered(runs: List<String>): String {
    if (untestable != null || evidence.isEmpty()) return "needs no run"
    val registration = Registration.of(id) ?: return "not registered before its run"
    if (runs.isEmpty()) return "registered on ${registration.on}, not measured yet"
    val stood = runs.map(::hashAt)
    return when {
        stood.all { it == registration.hash } -> "registered before its run"
        stood.all { it == null } -> "registered on ${registration.on}, after its run"
        else -> "changed on ${registration.on}, after its run: ${registration.because}"
    }
}
