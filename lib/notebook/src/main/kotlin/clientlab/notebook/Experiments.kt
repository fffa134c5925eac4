package clientlab.notebook

import clientlab.Experiment
import clientlab.notebook.fork.ProgressListener
import clientlab.notebook.fork.Run
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.frame
import clientlab.notebook.frame.isPublishedName
import clientlab.notebook.journal.RunFolder

/**
 * Runs the experiment here and returns its trials, one row each; they are on the disk as well, under `data/raw/<name>/<run>`.
 *
 * Blocks until every trial has ended, with a progress bar below the cell. Stopping the cell ends the trial in progress and keeps those
 * before it: [lastRun] reads them. A failing trial is a row with the outcome `invalid` and its reason. Throws [LabException] with one
 * sentence where the run cannot begin: another one is going on, the level is more than this machine allows.
 *
 * Where the environment sets `CLIENT_LAB_SMOKE`, as the tests of the notebooks do, the small version is run instead.
 */
public fun Experiment.run(): Trials {
    val asked = if (System.getenv("CLIENT_LAB_SMOKE").isNullOrEmpty()) this else smoke()
    return asked.run(ProgressDisplay.current())
}

/** The same, telling [listener] how far it is. */
public fun Experiment.run(listener: ProgressListener): Trials = Run(this, listener, Listing.catalogue.versions).execute().frame()

/** The newest run of this experiment that was made here, finished or not. */
public fun Experiment.lastRun(): Trials =
    RunFolder.all(name).firstOrNull()?.frame() ?: throw LabException("The experiment $name has not been run here yet: call run() on it.")

/** The published run of this experiment under [label]: the evidence behind the article. */
public fun Experiment.published(label: String): Trials = RunFolder.published(name, label).frame()

/**
 * Publishes the run [run] of this experiment, or its newest, under [label]: copies manifest and trials to `data/published`, to be
 * committed beside the article. What is published is never written again; fails where the label is taken or the run did not finish.
 */
public fun Experiment.publish(label: String, run: String? = null): String {
    if (!isPublishedName("$name-$label")) throw LabException("'$label' is no label: write year and month, as in \"2026-11\".")
    return RunFolder.publish(name, label, run).toString()
}
