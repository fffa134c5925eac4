package clientlab.notebook.fork

import clientlab.*
import clientlab.child.*
import clientlab.notebook.home.*
import clientlab.trial.*
import clientlab.workloads.*
import kotlinx.serialization.SerializationException
import java.io.File
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * How every trial JVM is started: the kernel's Java, the clients' classpath, and options so that no default depends on the machine's size.
 * It uses no class-data archive and no ahead-of-time cache, because they change the measured memory and processor time.
 */
internal object TrialJvm {
    val java: Path = ownJava

    /** Coroutines' debug mode would give workers the name of their coroutine, and no rule could find their owner. */
    val options: List<String> =
        listOf("-XX:+UseG1GC", "-Xms256m", "-Xmx2g", "-XX:-UsePerfData", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8") +
            listOf("--enable-native-access=ALL-UNNAMED", "-Dkotlinx.coroutines.debug=off") +
            if (isSmoke) listOf("-XX:TieredStopAtLevel=1") else emptyList()

    /** The jars of core, the clients and their dependencies, by name. */
    fun classpath(): List<Path> = builtJars("lib/clients/target/trial", "The clients have", "them")
}

/** Whether the environment asks for small versions of experiments, which test notebooks. Nobody reads their figures, so one compiler is enough. */
internal val isSmoke: Boolean get() = !System.getenv("CLIENT_LAB_SMOKE").isNullOrEmpty()

/** The jars in [folder] of the project, by name. Says that [what] not been built, and what builds [them], if there are none. */
internal fun builtJars(folder: String, what: String, them: String): List<Path> = LabHome.root.resolve(folder).entries("*.jar").ifEmpty {
    throw LabException("$what not been built: run ./lab run once, which builds $them.")
}

/** The [jar] of the project that [what] is in. Says what builds it if it is not there. */
internal fun builtJar(what: String, jar: String): Path =
    LabHome.root.resolve(jar).also { refuseUnless(it.exists()) { "$what has not been built: run ./lab run once, which builds it." } }

/** One trial in a JVM of its own; [before] is what the `java` command follows. */
internal class TrialProcess(
    private val classpath: List<Path>,
    private val jvmArgs: List<String>,
    private val java: Path = TrialJvm.java,
    private val before: List<String> = emptyList(),
) {
    /**
     * Runs [spec] and returns its results: the warm-up if there is one, and the measured trial last, which is invalid with a reason if the
     * fork died, printed nothing or exceeded [deadline]. An interrupt ends the fork and is rethrown.
     */
    fun run(spec: TrialSpec, deadline: Duration): List<Trial> {
        val began = TimeSource.Monotonic.markNow()
        val command = before + "$java" + jvmArgs +
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
            if (trials.none { !it.warmup }) {
                val reason = if (began.elapsedNow() >= deadline) "$NOT_ENDED $deadline and was ended." else whyEnded(child)
                trials += Trial.invalid(spec.experiment, spec.round, spec.treatment, reason)
            }
            child.awaitEnd(LEAVING)
            val took = began.elapsedNow().inWholeMicroseconds / 1e3
            trials.map { if (it.warmup) it else it.copy(metrics = it.metrics + ("trialMs" to took)) }
        }
    }

    private fun whyEnded(child: ChildProcess): String {
        child.awaitEnd(LEAVING)
        val said = child.lastWords().firstOrNull { "Exception" in it || "Error" in it } ?: child.lastWords().lastOrNull()
        return "The fork ended with code ${child.exitCode} before it had measured" + (said?.let { ": ${it.trim()}" } ?: ".")
    }
}

/** Whether this trial is invalid because its fork had not ended in several times the time it should take. */
internal val Trial.hung: Boolean get() = outcome == Outcome.Invalid && reasons.any { it.startsWith(NOT_ENDED) }

private const val NOT_ENDED = "The trial had not ended after"

private val LEAVING = 5.seconds
