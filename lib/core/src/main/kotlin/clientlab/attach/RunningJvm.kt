package clientlab.attach

import clientlab.*
import clientlab.child.*
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.seconds

/** Looks at running JVMs of the same user through the JDK's attach mechanism. [agent] is the agent's jar, which is also the program that loads it. */
public class RunningJvm(private val agent: Path) {
    /**
     * What the JVM [pid] holds; with [again] only what has become of the limits that the last look found, and its threads, which takes that
     * JVM milliseconds. Throws [LabException] with one sentence if it cannot be looked at.
     */
    public fun look(pid: Long, again: Boolean = false): SeenService {
        refuseUnless(ProcessHandle.of(pid).isPresent) { "There is no process $pid. These JVMs can be seen: ${others()}." }
        val file = Files.createTempFile("client-lab-attach", ".json")
        try {
            ran("$pid", if (again) "again $file" else "$file")
            val seen = LabJson.decodeFromString<SeenService>(file.readText())
            seen.error?.let { throw LabException("The agent could not look at $pid: $it.") }
            return seen
        } finally {
            file.deleteIfExists()
        }
    }

    /** The JVMs of this user, without this one: process id, and what it runs. */
    public fun all(): List<Pair<Long, String>> =
        ran()
            .map { line -> line.substringBefore(' ').toLong() to line.split(' ').getOrElse(1) { "" }.ifEmpty { "no name" } }
            .filter { (id, _) -> id != ProcessHandle.current().pid() }

    /** [all] as words; "none" also where this Java cannot see them. */
    public fun others(): String = runCatching { all() }
        .getOrDefault(emptyList())
        .joinToString { (id, name) ->
            "$id ($name)"
        }.ifEmpty { "none" }

    /** What the loader printed. */
    private fun ran(vararg arguments: String): List<String> =
        ChildProcess(listOf("$ownJava", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", "$agent") + arguments).use { loader ->
            val lines = generateSequence { loader.nextLine(PATIENCE) }.toList()
            refuseUnless(
                loader.awaitEnd(PATIENCE),
            ) { "The agent was not loaded within ${PATIENCE.inWholeSeconds} s: the JVM does not answer." }
            if (loader.exitCode != 0) throw LabException(loader.lastWords().lastOrNull() ?: "The agent could not be loaded.")
            lines
        }

    private companion object {
        val PATIENCE = 30.seconds
    }
}
