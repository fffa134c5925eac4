package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import kotlin.io.path.exists

/** Unfinished runs, and their states. */
internal object Unfinished {
    /**
     * The run [run] of [experiment]; if none is named, the newest unfinished one.
     *
     * Throws with one sentence if there is none, or if it is finished.
     */
    fun find(experiment: String, run: String?): RunFolder {
        val all = RunFolder.all(experiment)
        if (run == null) {
            return all.firstOrNull { it.manifest.state != FINISHED }
                ?: throw LabException(
                    "No run of $experiment made here is unfinished, so there is nothing to resume: call run() for a new one.",
                )
        }
        val folder =
            all.firstOrNull { it.run == run }
                ?: throw LabException("There is no run $run of $experiment here to resume${known(all)}.")
        if (folder.manifest.state == FINISHED) {
            throw LabException("The run $run of $experiment is finished: there is nothing to resume.")
        }
        return folder
    }

    /**
     * The newest unfinished run of the experiment [name], or the run that has [name] as its id.
     *
     * Throws with one sentence where there is none, and where it has a client from a cell that was not kept with it.
     */
    fun named(name: String): RunFolder {
        val byId = RunFolder.experiments().firstNotNullOfOrNull { experiment -> RunFolder.all(experiment).firstOrNull { it.run == name } }
        val folder =
            when {
                byId != null -> find(byId.manifest.experiment.name, name)
                RunFolder.all(name).isEmpty() -> throw unknown(name)
                else -> find(name, null)
            }
        val kept = folder.path.resolve(SerializedFiles.FOLDER)
        val catalogue = Listing.catalogue.clients.map { it.id }
        folder.manifest.experiment.workload.clients
            .firstOrNull { it.unversioned !in catalogue && !kept.resolve(it.id).exists() }
            ?.let {
                throw LabException(
                    "The client '${it.id}' comes from a cell and the run ${folder.run} stopped before it was kept: execute the cells " +
                        "that declare the client and its experiment again, then call run() on the experiment.",
                )
            }
        return folder
    }

    /** That no experiment [name] was run here, and which may be meant. */
    fun unknown(name: String): LabException {
        val all = RunFolder.experiments()
        val there = if (all.isEmpty()) "no experiment was run here yet" else didYouMean(name, all) + "Run here were ${all.joinToString()}"
        return LabException("No experiment '$name' was run here: $there.")
    }

    private fun known(all: List<RunFolder>): String {
        val open = all.filter { it.manifest.state != FINISHED }.map { it.run }
        return if (open.isEmpty()) "; none made here is unfinished" else "; unfinished are ${open.joinToString()}"
    }

    /**
     * The state of the run in [folder]: the one in its manifest, or `killed` if the manifest says `running` and no process holds the lock
     * for that run.
     */
    fun stateOf(folder: RunFolder): String {
        val written = folder.manifest.state
        if (written != RUNNING) return written
        return if (RunLock.holder()?.contains(folder.run) == true) RUNNING else KILLED
    }

    const val RUNNING = "running"
    const val FINISHED = "finished"
    const val KILLED = "killed"
}
