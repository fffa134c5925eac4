package clientlab.notebook.fork

import clientlab.*
import clientlab.notebook.home.*
import kotlinx.serialization.json.JsonObject
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.time.Duration.Companion.seconds

/**
 * Starts the server of [jar] with Java [options], and waits for its line of JSON, which has its address.
 *
 * If the server was not built or does not start, throws a [LabException] that calls it [what], such as "the delay server"; no process is
 * left then.
 */
internal fun startServer(
    what: String,
    jar: Path,
    options: List<String>,
    arguments: List<String> = emptyList(),
): Pair<ChildProcess, JsonObject> {
    val path = LabHome.root.resolve(jar)
    if (!path.exists()) {
        throw LabException("${what.replaceFirstChar(Char::uppercase)} has not been built: run ./lab run once, which builds it.")
    }
    val child = ChildProcess(listOf(TrialJvm.java.toString()) + options + listOf("-jar", path.toString(), "--parent-stdin") + arguments)
    try {
        val ready = child.nextLine(PATIENCE)?.let { LabJson.decodeFromString<JsonObject>(it) }
        if (ready == null) {
            child.awaitEnd(1.seconds)
            val said = child.lastWords().lastOrNull() ?: "it said nothing"
            throw LabException("${what.replaceFirstChar(Char::uppercase)} did not start: $said")
        }
        return child to ready
    } catch (e: Throwable) {
        child.close()
        throw e
    }
}

private val PATIENCE = 20.seconds
