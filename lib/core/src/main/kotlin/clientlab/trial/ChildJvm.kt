package clientlab.trial

import clientlab.*
import clientlab.probe.*
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/**
 * A JVM that a trial starts and talks to, a line at a time. [close] ends it; it also ends with this process, see [obeyParent].
 *
 * @param command the options, the classpath and the main class with its arguments; [before] is what the `java` command follows.
 * @param takes is given each line of its standard output first, and says whether it wanted it.
 * @param isReply whether another line is a reply; the rest, and standard error, are its last words.
 */
internal class ChildJvm(
    name: String,
    command: List<String>,
    before: List<String> = emptyList(),
    private val takes: (String) -> Boolean = { false },
    private val isReply: (String) -> Boolean = { true },
) : AutoCloseable {
    private val lastWords = ConcurrentLinkedQueue<String>()
    private val replies = LinkedBlockingQueue<String>()
    private val process: Process =
        ProcessBuilder(before + Path.of(System.getProperty("java.home"), "bin", "java").toString() + command)
            .apply { environment().keys.removeAll(OPTIONS_OF_THE_ENVIRONMENT) }
            .start()
    private val readers = listOf(
        reader("$name-err") { process.errorStream.bufferedReader().forEachLine(::remember) },
        reader("$name-out") {
            process.inputStream.bufferedReader().forEachLine {
                if (!takes(it)) {
                    if (isReply(it)) {
                        replies += it
                    } else {
                        remember(it)
                    }
                }
            }
        },
    )

    val pid: Long get() = process.pid()
    val alive: Boolean get() = process.isAlive
    val exitCode: Int get() = process.exitValue()

    val probe: ChildProbe = ChildProbe(process.toHandle())

    val cpuSeconds: Double get() = probe.cpuSeconds ?: 0.0

    fun tell(line: String) {
        process.outputStream.write("$line\n".toByteArray())
        process.outputStream.flush()
    }

    /** Its next reply, or null where none comes within [PATIENCE_S] seconds or before it ends. */
    fun reply(): String? {
        val until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S)
        while (System.nanoTime() < until) {
            replies.poll(LOOK_MS, TimeUnit.MILLISECONDS)?.let { return it }
            if (!process.isAlive) {
                drain()
                return pending()
            }
        }
        return null
    }

    /** The reply to [line]; throws [LabException] where none comes. */
    fun ask(line: String, what: String): String {
        tell(line)
        return reply() ?: throw LabException("$what ended without an answer: ${words() ?: "it said nothing"}")
    }

    /** A reply that has come already, or null. */
    fun pending(): String? = replies.poll()

    /** What it said of an error first, or else what it said last. */
    fun words(): String? = lastWords.firstOrNull { "Error" in it || "Exception" in it } ?: lastWords.lastOrNull()

    /** Waits until all that an ended JVM said has been read. */
    fun drain() = readers.forEach { it.join(DRAINING_MS) }

    /** Ends it and does not wait for that. */
    fun kill() {
        process.destroyForcibly()
    }

    override fun close() {
        process.destroyForcibly().waitFor()
    }

    private fun remember(line: String) {
        if (lastWords.size < MOST_WORDS) lastWords += line.take(WORD_CHARS)
    }

    private fun reader(name: String, read: () -> Unit): Thread =
        thread(isDaemon = true, name = "${ThreadOwners.HARNESS_PREFIX}$name") { runCatching(read) }
}

/** Hands each line of standard input to [order], and halts this JVM when the input ends: its parent has closed it, or is gone. */
internal fun obeyParent(order: (String) -> Unit): Nothing {
    generateSequence(::readlnOrNull).forEach(order)
    Runtime.getRuntime().halt(0)
    error("halted")
}

/** Ends this JVM when its standard input ends, from a thread of the harness, while the caller goes on. */
public fun endWithParent() {
    thread(isDaemon = true, name = "${ThreadOwners.HARNESS_PREFIX}parent") {
        while (System.`in`.read() >= 0) Unit
        Runtime.getRuntime().halt(ORPHANED)
    }
}

private const val ORPHANED = 3

/** Java reports these on standard error, where errors are looked for. */
private val OPTIONS_OF_THE_ENVIRONMENT = setOf("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
private const val PATIENCE_S = 20L
private const val LOOK_MS = 50L
private const val DRAINING_MS = 1_000L
private const val MOST_WORDS = 40
private const val WORD_CHARS = 200
