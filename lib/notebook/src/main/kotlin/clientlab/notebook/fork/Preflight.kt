package clientlab.notebook.fork

import clientlab.Experiment
import clientlab.notebook.LabException
import clientlab.run.Machine

/** What has to hold before the first trial, each with a sentence that says what would be right. */
internal object Preflight {
    fun check(experiment: Experiment, machine: Machine) {
        val most = experiment.workload.mostConnections
        val files = machine.openFiles ?: return
        val allowed = files - RESERVE
        if (most > allowed) {
            throw LabException(
                "$most in flight need as many open files, and a process here may have $files: ask for at most $allowed, " +
                    "or raise the limit (ulimit -n).",
            )
        }
    }

    /** Jars, logs and the control connection. */
    private const val RESERVE = 300
}
