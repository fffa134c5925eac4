package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import kotlin.io.path.exists

/** Unfinished runs, and their states. */
internal object Unfinished {
    /** The run [run] of [experiment], or the newest unfinished one if none is named. Throws if there is none, or if it is finished. */
    fun find(experiment: String, run: String?): RunFolder {
        val all = RunFolder.all(experiment)
        val open = all.asSequence().filter { it.manifest.state != FINISHED }
        if (run == null) {
            return open.firstOrNull()
                ?: throw LabException(
                    "No run of $experiment made here is unfinished, so there is nothing to resume: call run() for a new one.",
                )
        }
        open.firstOrNull { it.run == run }?.let { return it }
        if (all.any { it.run == run }) throw LabException("The run $run of $experiment is finished: there is nothing to resume.")
        val known = if (open.none()) "none made here is unfinished" else "unfinished are ${open.joinToString { it.run }}"
        throw LabException("There is no run $run of $experiment here to resume; $known.")
    }

    /**
     * The newest unfinished run of the experiment [name], or the run with that id. Throws if there is none, or if a client from a cell was
     * not kept.
     */
    fun named(name: String): RunFolder {
        val byId = RunFolder.experiments().flatMap(RunFolder::all).firstOrNull { it.run == name }
        val folder = when {
            byId != null -> find(byId.manifest.experiment.name, name)
            RunFolder.all(name).isEmpty() -> throw unknown(name)
            else -> find(name, null)
        }
        val catalogue = CatalogueReader.catalogue.clients.map { it.id }
        val clients = folder.manifest.experiment.workload.clients
        clients.firstOrNull { it.unversioned !in catalogue && !folder.serialized(it.id).exists() }?.let {
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

    /** The state in the manifest of [folder], or `killed` if that says `running` and no process holds the lock for that run. */
    fun stateOf(folder: RunFolder): String {
        val written = folder.manifest.state
        return if (written != RUNNING || RunLock.holder().orEmpty().contains(folder.run)) written else KILLED
    }

    const val RUNNING = "running"
    const val FINISHED = "finished"
    const val KILLED = "killed"
}
