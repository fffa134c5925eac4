package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*

/**
 * The run of exactly this experiment with exactly these jars that is here already, brought to its end if it was stopped; where there is none,
 * a new one. So something that consists of several runs goes on where it was stopped.
 */
internal fun Experiment<*>.runOnce(listener: ProgressListener): RunFolder {
    val asked = asked()
    val run = Run(asked, listener, remote = serverAskedFor(null), onBusy = whenBusy())
    val there = RunFolder.all(name).filter { it.manifest.experiment == asked }
    val jars by lazy { run.jars(ForkJars.of(asked.workload).all) }
    val same = there.firstOrNull { it.manifest.jars == jars } ?: return run.execute()
    return if (same.manifest.state == Unfinished.FINISHED) same else run.resume(same.run, anyway = false)
}
