package clientlab.notebook.fork

import clientlab.*
import clientlab.trial.*
import clientlab.workloads.*
import kotlinx.serialization.SerializationException
import java.io.File
import java.io.IOException
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** One trial in a JVM of its own. */
internal class TrialProcess(
    private val classpath: List<Path>,
    private val jvmArgs: List<String>,
    private val java: Path = TrialJvm.java,
) {
    /**
     * Runs [spec] and returns its results: the warm-up if there is one, and the measured trial last.
     *
     * The measured trial is always there. If the fork died, printed nothing or exceeded [deadline], it is invalid with that reason. An
     * interrupt ends the fork and is rethrown.
     */
    fun run(spec: TrialSpec, deadline: Duration): List<Trial> {
        val began = TimeSource.Monotonic.markNow()
        val command =
            listOf(java.toString()) + jvmArgs +
                listOf("-cp", classpath.joinToString(File.pathSeparator), "clientlab.workloads.TrialMainKt")
        return ChildProcess(command).use { child ->
            val trials = mutableListOf<Trial>()
            try {
                child.tell(ExperimentJson.encodeToString(spec))
                while (trials.none { !it.warmup }) {
                    val line = child.nextLine(deadline - began.elapsedNow()) ?: break
                    if (line.startsWith("{")) trials += LabJson.decodeFromString<Trial>(line)
                }
            } catch (_: IOException) {
                // It died before it read its task. Its output is in the reason.
            } catch (_: SerializationException) {
                // It died while it was writing its line.
            }
            if (trials.none { !it.warmup }) trials += invalid(spec, child, overran = began.elapsedNow() >= deadline, deadline)
            child.awaitEnd(LEAVING)
            val took = began.elapsedNow().inWholeMicroseconds / 1e3
            trials.map { if (it.warmup) it else it.copy(metrics = it.metrics + ("trialMs" to took)) }
        }
    }

    private fun invalid(spec: TrialSpec, child: ChildProcess, overran: Boolean, deadline: Duration): Trial {
        val reason =
            if (overran) {
                "The trial had not ended after $deadline and was ended."
            } else {
                child.awaitEnd(LEAVING)
                val said = child.lastWords().firstOrNull { "Exception" in it || "Error" in it } ?: child.lastWords().lastOrNull()
                "The fork ended with code ${child.exitCode} before it had measured" + (said?.let { ": ${it.trim()}" } ?: ".")
            }
        return Trial.invalid(spec.experiment, spec.round, spec.treatment, reason)
    }

    private companion object {
        private val LEAVING = 5.seconds
    }
}
