package clientlab.articles.workshop

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.workloads.*

// Part 5: design your own experiment.

/**
 * The expectation before an experiment is run: [metric] is larger in the trials with the level [more] than in those with [less].
 *
 * Write levels as a treatment prints them, as in `"ktor-cio"` or `"100"`.
 */
public data class Prediction(public val metric: String, public val more: String, public val less: String)

/** Whether [experiment] can decide [prediction]: one thing varies, forks can be compared, and what is predicted is measured. */
public fun checkDesign(experiment: Experiment<*>?, prediction: Prediction?): Check = checking {
    val asked = given("mine", experiment)
    val guess = given("prediction", prediction)
    val varied = varied(asked)
    expect(varied.isNotEmpty()) {
        "Nothing varies in ${asked.name}: give one factor two levels, as in inFlight = listOf(20, 80), or two clients."
    }
    expect(varied.size == 1) {
        "${varied.keys.joinToString(" and ")} vary at once, so you could not say which made the difference: keep one of them at one level."
    }
    expect(asked.forks >= 2) { "One fork shows no scatter, so any difference looks real: ask for forks = 2 at least." }
    expect(guess.metric in Metrics.names) { "No trial has '${guess.metric}': take a metric from data/README.md, as in \"threadsBlocked\"." }
    val (factor, levels) = varied.entries.single()
    expect(guess.more != guess.less) { "The prediction has ${guess.more} on both sides: it needs two levels of $factor." }
    listOf(guess.more, guess.less).forEach { level ->
        expect(level in levels) {
            "The prediction speaks of '$level', and $factor has ${levels.joinToString()}: write a level as it stands there."
        }
    }
    "${asked.name} varies $factor alone and asks ${asked.forks} forks a level, so it can decide whether " +
        "${guess.metric} is more for ${guess.more}."
}

/** Whether [trials] confirm [prediction]: each fork of one level has more than any fork of the other. */
public fun checkPrediction(trials: Trials<*>?, prediction: Prediction?): Check = checking {
    val guess = given("prediction", prediction)
    val run = given("trials", trials)
    val bad = run.byTreatment().flatMap { it.rows }.count { it.outcome == "invalid" }
    expect(bad == 0) { "$bad ${if (bad == 1) "trial is" else "trials are"} invalid and no number: read trials.notes() first." }
    val (more, less) = listOf(guess.more, guess.less).map { level -> values(run, level, guess.metric) }
    expect(more.max() >= less.min()) {
        "It is the other way round: every fork of ${guess.less} has more ${guess.metric} than any of ${guess.more}, " +
            "which is a finding, too."
    }
    expect(more.min() > less.max()) {
        "The forks of ${guess.more} and ${guess.less} overlap in ${guess.metric}, so this run cannot tell: ask for " +
            "more forks, or for a larger difference."
    }
    "Every fork of ${guess.more} has more ${guess.metric} than any of ${guess.less} (${more.size} and ${less.size} forks)."
}

/** The factors with more than one level, and their levels. */
private fun varied(experiment: Experiment<*>): Map<String, Set<String>> =
    Factor.all
        .associateWith { factor -> experiment.treatments.mapNotNull { it[factor] }.toSet() }
        .filterValues { it.size > 1 }

private fun Answer.values(trials: Trials<*>, level: String, metric: String): List<Double> =
    groupsOf(trials)
        .filter { group -> Factor.all.any { group[it] == level } }
        .flatMap { it.values(metric) }
        .ifEmpty { missing("No trial of $level has $metric: run the experiment, or look at trials.notes().") }
