package clientlab.child

import clientlab.*
import kotlinx.serialization.json.JsonObject
import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URI
import java.nio.file.Path
import java.util.ArrayDeque
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * A child process that ends at the latest with this process, with its output as lines. It must end when its standard input ends.
 *
 * Daemon threads read both outputs, so that the caller's thread waits only in calls that an interrupt ends. [close] forces the end and
 * waits.
 */
public class ChildProcess(command: List<String>) : AutoCloseable {
    private val process: Process = ProcessBuilder(command).start()
    private val lines = LinkedBlockingQueue<String>()
    private val lastWords = ArrayDeque<String>()
    private val errors =
        thread(isDaemon = true, name = "lab-child-err") { runCatching { process.errorStream.bufferedReader().forEachLine(::remember) } }

    init {
        thread(isDaemon = true, name = "lab-child-out") {
            runCatching { process.inputStream.bufferedReader().forEachLine(lines::put) }
            lines.put(END)
        }
    }

    public val pid: Long get() = process.pid()
    public val alive: Boolean get() = process.isAlive

    /** The exit code, or null while it runs. */
    public val exitCode: Int? get() = if (process.isAlive) null else process.exitValue()

    /** Writes [line] to its standard input, which stays open. */
    public fun tell(line: String) {
        process.outputStream.write((line + "\n").toByteArray())
        process.outputStream.flush()
    }

    /** The next line that it prints, or null if it ended or [patience] passed first. An interrupt of this thread ends the wait at once. */
    public fun nextLine(patience: Duration): String? = lines.poll(patience.inWholeNanoseconds, TimeUnit.NANOSECONDS).takeIf { it !== END }

    /** The last lines that it wrote to standard error; complete if it has ended. */
    public fun lastWords(): List<String> {
        // Not forever: a grandchild process may keep the standard error open.
        if (!process.isAlive) errors.join(java.time.Duration.ofSeconds(2))
        return synchronized(lastWords) { lastWords.toList() }
    }

    /** Waits until it has ended by itself, but no longer than [patience]. */
    public fun awaitEnd(patience: Duration): Boolean = process.waitFor(patience.inWholeMilliseconds, TimeUnit.MILLISECONDS)

    override fun close() {
        process.destroyForcibly()
        // Not waitFor: this thread may be interrupted already, and the child must end all the same.
        while (process.isAlive) Thread.onSpinWait()
    }

    private fun remember(line: String) = synchronized(lastWords) {
        lastWords += line
        if (lastWords.size > MOST_LINES) lastWords.removeFirst()
    }

    private companion object {
        private val END = String(charArrayOf('e', 'n', 'd'))
        private const val MOST_LINES = 60
    }
}

/**
 * Starts the server in [jar] on [java] with Java [options], and waits for its line of JSON, which has its address.
 *
 * If it does not start, throws a [LabException] that calls it [what], as in "The delay server"; no process is left then.
 */
public fun startServer(
    what: String,
    jar: Path,
    options: List<String>,
    arguments: List<String> = emptyList(),
    java: Path = ownJava,
): Pair<ChildProcess, JsonObject> {
    val child = ChildProcess(listOf(java.toString()) + options + listOf("-jar", jar.toString(), "--parent-stdin") + arguments)
    try {
        child.nextLine(20.seconds)?.let { return child to LabJson.decodeFromString<JsonObject>(it) }
        child.awaitEnd(1.seconds)
        throw LabException("$what did not start: ${child.lastWords().lastOrNull() ?: "it said nothing"}")
    } catch (e: Throwable) {
        child.close()
        throw e
    }
}

/** The executable of the Java that runs this. */
public val ownJava: Path get() = executable(Path.of(System.getProperty("java.home")))

/** The executable of the Java in [home]. */
public fun executable(home: Path): Path = home.resolve(if (File.separatorChar == '\\') "bin/java.exe" else "bin/java")

/** The files with the options of every delay server's Java, of this Java's version. They lie beside its sources and in the jar of the tests' library. */
public val serverOptionFiles: List<String>
    get() = listOfNotNull("jvm.options", "jvm-24.options".takeIf { Runtime.version().feature() >= UNSAFE_OPTION })

/** From this Java on, Netty needs an option for memory access that older Javas allow by default. */
internal const val UNSAFE_OPTION = 24

/** Posts [text] to a program of ours at [address]. Throws an [IOException] with what it says if it does not take that. */
public fun post(address: URI, text: String) {
    val asking = address.toURL().openConnection() as HttpURLConnection
    asking.doOutput = true
    asking.outputStream.use { it.write(text.encodeToByteArray()) }
    if (asking.responseCode != HttpURLConnection.HTTP_OK) {
        throw IOException(asking.errorStream?.use { it.readBytes().decodeToString() }.orEmpty().trim())
    }
    asking.inputStream.use { it.readBytes() }
}
