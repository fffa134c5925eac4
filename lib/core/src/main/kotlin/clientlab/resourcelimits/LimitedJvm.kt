package clientlab.resourcelimits

import clientlab.LabJson
import clientlab.probe.ChildProbe
import clientlab.probe.ChildReading
import clientlab.probe.ThreadOwners
import clientlab.transfer.said
import clientlab.trial.ContainerJvm
import clientlab.trial.ProcessLimits
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/**
 * A JVM with a client in it under limits of memory and threads; [close] ends it for certain, and it ends with this process.
 *
 * Throws [IOException] with a sentence where the system lets nobody set limits here, or where the JVM does not start within them.
 */
internal class LimitedJvm(classpath: String, spec: LimitedJvmSpec, memoryMiB: Long, threads: Int, jvmArgs: List<String>) : AutoCloseable {
    private val limits =
        ProcessLimits.of(memoryMiB shl 20, threads).getOrElse { throw IOException("No limit can be set here: ${it.message}.") }
    private val said = ConcurrentLinkedQueue<String>()
    private val ready = CountDownLatch(1)

    @Volatile private var failure: String? = null
    private val process: Process =
        ProcessBuilder(
            listOf(Path.of(System.getProperty("java.home"), "bin", "java").toString()) + ContainerJvm.options(memoryMiB) + jvmArgs +
                listOf("-cp", classpath, LimitedJvmMain::class.java.name),
        ).apply { environment().keys.removeAll(ContainerJvm.OPTIONS_OF_THE_ENVIRONMENT) }.start()
    private val probe = ChildProbe(process.toHandle())

    init {
        limits.add(process.pid())
        reader("within-err") { process.errorStream.bufferedReader().forEachLine(::remember) }
        reader("within-out") {
            process.inputStream.bufferedReader().forEachLine { line ->
                when {
                    line == "ready" -> ready.countDown()
                    line.startsWith(FAILED) -> failure = line.removePrefix(FAILED)
                    else -> remember(line)
                }
            }
        }
        tell(LabJson.encodeToString(spec))
        if (!ready.await(PATIENCE_S, TimeUnit.SECONDS)) {
            close()
            throw IOException("The JVM did not start within its limits: ${words() ?: "it said nothing"}")
        }
    }

    val alive: Boolean get() = process.isAlive

    /** The first request that failed, as `<kind>: <the exception>`, or null. */
    val failed: String? get() = failure

    fun raise(load: Int): Unit = runCatching { tell("$load") }.let {}

    fun read(): ChildReading? = probe.read()

    /** Why it ended, as a kind and in a sentence, or null while it lives. */
    fun end(): Pair<String, String>? {
        if (process.isAlive) return null
        process.waitFor(DRAINING_MS, TimeUnit.MILLISECONDS)
        Thread.sleep(DRAINING_MS / 10)
        if (limits.kills() > 0) return "killed" to "the kernel ended it for want of memory"
        val last = words()
        val kind = last?.let { Regex("[A-Za-z]+(Error|Exception)").find(it)?.value }
        return (kind ?: "ended with code ${process.exitValue()}") to (last ?: "it said nothing")
    }

    /** What it said of errors beside those of its requests, the first first. */
    fun words(): String? = said.firstOrNull { "Error" in it || "Exception" in it } ?: said.lastOrNull()

    private fun tell(line: String) {
        process.outputStream.write("$line\n".toByteArray())
        process.outputStream.flush()
    }

    private fun remember(line: String) {
        if (said.size < MOST_WORDS) said += line.take(WORD_CHARS)
    }

    private fun reader(name: String, body: () -> Unit) {
        Thread
            .ofPlatform()
            .daemon()
            .name("${ThreadOwners.HARNESS_PREFIX}$name")
            .start { runCatching(body) }
    }

    override fun close() {
        process.destroyForcibly()
        process.waitFor()
        limits.close()
    }

    private companion object {
        private const val FAILED = "failed "
        private const val PATIENCE_S = 20L
        private const val DRAINING_MS = 1_000L
        private const val MOST_WORDS = 40
        private const val WORD_CHARS = 200
    }
}
