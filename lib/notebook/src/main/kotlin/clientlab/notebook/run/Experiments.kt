package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*

/**
 * Runs the experiment here and returns its trials, one row per trial. They are also on the disk, under `data/raw/<name>/<run>`.
 *
 * Blocks until every trial has ended, with a progress bar below the cell. Stopping the cell ends the trial in progress and keeps those
 * before it: `lastRun("two-clients")` reads them by the experiment's name, because a stopped cell loses its `val`s. A failing trial is a
 * row with the outcome `invalid` and its reason. Throws [LabException] with one sentence where the run cannot begin: another one is going
 * on, the level is more than this machine allows.
 *
 * @param server the control port of a delay server that is already running, on this or another machine, as in `"http://192.0.2.7:8081"`,
 *   followed by `?token=…` if it needs a token. The run uses it and leaves it running. Null for the server that the environment names as
 *   `CLIENT_LAB_SERVER`; if it names none, the run starts its own server.
 *
 * If the environment sets `CLIENT_LAB_SMOKE`, as the notebooks' tests do, the small version is run instead.
 */
public fun Experiment.run(server: String? = null): Trials = asked().run(server, ProgressDisplay.current())

/** The same, telling [listener] how far it is. */
public fun Experiment.run(listener: ProgressListener): Trials = run(server = null, listener)

/** The same against the delay server whose control port is at [server], where that is not null. */
public fun Experiment.run(server: String?, listener: ProgressListener): Trials =
    Run(this, listener, Listing.catalogue.versions, remote = serverAskedFor(server), onBusy = whenBusy()).execute().frame()

/** Runs the experiment again as [earlier] did, with the clients from cells that are kept with that run. */
internal fun Experiment.runAgain(earlier: RunFolder, listener: ProgressListener): Trials =
    Run(this, listener, Listing.catalogue.versions, remote = serverAskedFor(null), again = earlier).execute().frame()

/**
 * Continues the run [run] of this experiment, or its newest unfinished one: runs exactly the planned trials that are not in its journal, in
 * the planned order, and returns all of its trials.
 *
 * Use it for a run that was interrupted, killed, or stopped by a full disk. At most the trial in progress is lost. An incomplete line at
 * the end of its journal is cut off first. A client from a cell is the one that the run began with. Invalid trials stay, because they were
 * measured.
 *
 * A run against a remote server continues with that server, unless [server] names another one.
 *
 * Throws [LabException] with one sentence if there is nothing to resume, or if the experiment, a library, a jar, an option of the forks or
 * the machine differs from the manifest, because one run would then hold two measurements. If [anyway] is true, it continues with the
 * experiment that the manifest holds, and the manifest's notes say what differed.
 */
public fun Experiment.resume(
    run: String? = null,
    anyway: Boolean = false,
    listener: ProgressListener = ProgressDisplay.current(),
    server: String? = null,
): Trials =
    Run(asked(), listener, Listing.catalogue.versions, remote = serverAskedFor(server), onBusy = whenBusy()).resume(run, anyway).frame()

/**
 * Goes on with the newest unfinished run of the experiment [name], or with the run that has [name] as its id.
 *
 * The same as `experiment.resume()` where there is no `val experiment` any more, because its cell was stopped or the kernel is a new one:
 * the manifest holds the experiment. Throws [LabException] with one sentence where there is nothing to resume, and where a client from a cell
 * was not kept with the run.
 */
public fun resume(
    name: String,
    anyway: Boolean = false,
    listener: ProgressListener = ProgressDisplay.current(),
    server: String? = null,
): Trials {
    val (run, experiment) = Unfinished.named(name).let { it.run to it.manifest.experiment }
    return Run(experiment, listener, Listing.catalogue.versions, remote = serverAskedFor(server), onBusy = whenBusy())
        .resume(run, anyway)
        .frame()
}

/** The newest run of the experiment [name] that was made here, finished or not, as in `lastRun("two-clients")`. */
public fun lastRun(name: String): Trials = (RunFolder.all(name).firstOrNull() ?: throw Unfinished.unknown(name)).frame()

/** The control port of a remote server that is [given] or named by the environment; otherwise null. */
internal fun serverAskedFor(given: String?): String? = (given ?: System.getenv("CLIENT_LAB_SERVER"))?.ifEmpty { null }

/** The small version where the environment asks for it. */
private fun Experiment.asked(): Experiment = if (isSmoke) smoke() else this

/** Small versions test notebooks, and several tests may run at once, so they wait for each other. A reader's own run refuses instead. */
private fun whenBusy(): ((RunGoingOn) -> Unit)? = if (isSmoke) { _ -> } else null

private val isSmoke: Boolean get() = !System.getenv("CLIENT_LAB_SMOKE").isNullOrEmpty()

/** The newest run of this experiment that was made here, finished or not. */
public fun Experiment.lastRun(): Trials =
    RunFolder.all(name).firstOrNull()?.frame() ?: throw LabException("The experiment $name has not been run here yet: call run() on it.")

/** The published run of this experiment under [label]: the evidence behind the article. */
public fun Experiment.published(label: String): Trials = RunFolder.published(name, label).frame()

/**
 * Publishes the run [run] of this experiment, or its newest, under [label]: copies manifest and trials to `data/published`, to be committed
 * beside the article. Published data are never changed. Fails if the label is taken or the run did not finish.
 */
public fun Experiment.publish(label: String, run: String? = null): String {
    if (!isPublishedName("$name-$label")) throw LabException("'$label' is no label: write year and month, as in \"2026-11\".")
    return RunFolder.publish(name, label, run, Unfinished::stateOf).toString()
}
