package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.fork.*
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
public fun <W : Workload> Experiment<W>.run(server: String? = null): Trials<W> = asked().run(server, ProgressDisplay.current())

/** Runs the experiment and tells [listener] how far it is. */
public fun <W : Workload> Experiment<W>.run(listener: ProgressListener): Trials<W> = run(server = null, listener)

/** Runs the experiment against the delay server whose control port is at [server], and tells [listener] how far it is. */
public fun <W : Workload> Experiment<W>.run(server: String?, listener: ProgressListener): Trials<W> =
    Run(this, listener, remote = serverAskedFor(server), onBusy = whenBusy()).execute().trialsOf(this)

/** Runs the experiment again as [earlier] did, with the clients from cells that are kept with that run. */
internal fun <W : Workload> Experiment<W>.runAgain(earlier: RunFolder, listener: ProgressListener): Trials<W> =
    Run(this, listener, remote = serverAskedFor(null), again = earlier).execute().trialsOf(this)

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
public fun <W : Workload> Experiment<W>.resume(
    run: String? = null,
    anyway: Boolean = false,
    listener: ProgressListener = ProgressDisplay.current(),
    server: String? = null,
): Trials<W> =
    Run(asked(), listener, remote = serverAskedFor(server), onBusy = whenBusy()).resume(run, anyway).trialsOf(this)

/**
 * Goes on with the newest unfinished run of the experiment [name], or with the run that has [name] as its id.
 *
 * The same as `experiment.resume()` where there is no `val experiment` any more, because its cell was stopped or the kernel is a new one:
 * the manifest holds the experiment. `resume<Burst>("two-clients")` gives trials that the figures of bursts accept. Throws [LabException]
 * with one sentence where there is nothing to resume, and where a client from a cell was not kept with the run.
 */
public fun resume(
    name: String,
    anyway: Boolean = false,
    listener: ProgressListener = ProgressDisplay.current(),
    server: String? = null,
): Trials<*> = resumed(name, anyway, listener, server).frame()

/** Resumes the run [name] and returns its trials as those of the workload [W]. */
@JvmName("resumeAs")
public inline fun <reified W : Workload> resume(
    name: String,
    anyway: Boolean = false,
    listener: ProgressListener = ProgressDisplay.current(),
    server: String? = null,
): Trials<W> = resumed(name, anyway, listener, server).trialsOf(W::class)

@PublishedApi
internal fun resumed(name: String, anyway: Boolean, listener: ProgressListener, server: String?): RunFolder {
    val (run, experiment) = Unfinished.named(name).let { it.run to it.manifest.experiment }
    return Run(experiment, listener, remote = serverAskedFor(server), onBusy = whenBusy()).resume(run, anyway)
}

/**
 * The newest run of the experiment [name] that was made here, finished or not, as in `lastRun("two-clients")`, or as in
 * `lastRun<Burst>("two-clients")` for the figures of bursts.
 */
public fun lastRun(name: String): Trials<*> = newest(name).frame()

/** The newest run of the experiment [name], as trials of the workload [W]. */
@JvmName("lastRunAs")
public inline fun <reified W : Workload> lastRun(name: String): Trials<W> = newest(name).trialsOf(W::class)

@PublishedApi
internal fun newest(name: String): RunFolder = RunFolder.all(name).firstOrNull() ?: throw Unfinished.unknown(name)

/** The control port of a remote server that is [given] or named by the environment; otherwise null. */
internal fun serverAskedFor(given: String?): String? = (given ?: System.getenv("CLIENT_LAB_SERVER"))?.ifEmpty { null }

/** The small version where the environment asks for it. */
internal fun <W : Workload> Experiment<W>.asked(): Experiment<W> = if (isSmoke) smoke() else this

/** Small versions test notebooks, and several tests may run at once, so they wait for each other. A reader's own run refuses instead. */
internal fun whenBusy(): ((RunGoingOn) -> Unit)? = if (isSmoke) { _ -> } else null

/** The newest run of this experiment that was made here, finished or not. */
public fun <W : Workload> Experiment<W>.lastRun(): Trials<W> =
    RunFolder.all(name).firstOrNull()?.trialsOf(this)
        ?: throw LabException("The experiment $name has not been run here yet: call run() on it.")

/** The published run of this experiment under [label]: the evidence behind the article. */
public fun <W : Workload> Experiment<W>.published(label: String): Trials<W> = RunFolder.published(name, label).trialsOf(this)

/**
 * Publishes the run [run] of this experiment, or its newest, under [label]: copies manifest and trials (compressed) to `data/published`, to
 * be committed beside the article. Published data are never changed. Fails if the label is taken, if the run did not finish, or if other
 * work on the machine disturbed more than one trial in ten.
 */
public fun Experiment<*>.publish(label: String, run: String? = null): String {
    if (!isPublishedName("$name-$label")) throw LabException("'$label' is no label: write year and month, as in \"2026-11\".")
    return RunFolder.publish(name, label, run, Unfinished::stateOf).toString()
}
