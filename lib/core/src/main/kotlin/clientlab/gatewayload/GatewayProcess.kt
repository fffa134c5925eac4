package clientlab.gatewayload

import clientlab.LabJson
import clientlab.probe.ChildProbe
import clientlab.probe.ThreadOwners
import clientlab.transfer.said
import clientlab.trial.ContainerJvm
import clientlab.trial.ProcessLimits
import java.io.File
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists

/**
 * The gateway in a JVM of its own, with the memory that it may have.
 *
 * The heap may have half of it, and buffers an eighth, as one would divide a container; stacks have what the system
 * gives them, for they are what is asked about. Where no cgroup can be made, [overMemory] is to be asked often: it ends the gateway when
 * its anonymous memory is beyond the limit, which is when the kernel would have. The kernel would also count the buffers of sockets and the
 * kernel's own stack of each thread, so that it is the stricter of the two.
 *
 * [close] ends it for certain and waits for that; it also ends with this process, by its standard input.
 */
internal class GatewayProcess(classpath: String, spec: GatewaySpec, memoryMiB: Long, jvmArgs: List<String>) : AutoCloseable {
    private val limitBytes = memoryMiB shl 20
    private val group = ProcessLimits.of(limitBytes)
    private val lastWords = ConcurrentLinkedQueue<String>()
    private val process: Process =
        ProcessBuilder(
            behindTheGenerator + listOf(Path.of(System.getProperty("java.home"), "bin", "java").toString()) +
                ContainerJvm.options(memoryMiB) +
                "-XX:+ExitOnOutOfMemoryError" + jvmArgs +
                listOf("-cp", classpath, "clientlab.gateway.GatewayMainKt"),
        ).apply { environment().keys.removeAll(ContainerJvm.OPTIONS_OF_THE_ENVIRONMENT) }.start()
    private val readers = ArrayList<Thread>()
    private val probe = ChildProbe(process.toHandle())

    /** Where it listens. */
    val port: Int

    /** Whether it was ended for its memory, by us or by the kernel. */
    @Volatile var endedForMemory = false
        private set

    init {
        group.onSuccess { it.add(process.pid()) }
        reader("gateway-err") { process.errorStream.bufferedReader().forEachLine(::remember) }
        val ready = CompletableFuture<String?>()
        reader("gateway-out") {
            val lines = process.inputStream.bufferedReader()
            ready.complete(lines.readLine())
            // A JVM without heap says so here.
            lines.forEachLine(::remember)
        }
        process.outputStream.write((LabJson.encodeToString(spec) + "\n").toByteArray())
        process.outputStream.flush()
        val line = runCatching { ready.get(PATIENCE_S, TimeUnit.SECONDS) }.getOrNull()
        if (line == null) {
            close()
            throw IOException("The gateway did not start: ${words() ?: "it said nothing"}")
        }
        port = LabJson.decodeFromString<GatewayReady>(line).port
    }

    val alive: Boolean get() = process.isAlive

    /** How its memory is limited, in a sentence for the reader, where that is not by the kernel. */
    val limitedBy: String? =
        group.exceptionOrNull()?.let {
            "The gateway's memory was watched and not limited by the kernel, for ${it.message}."
        }

    fun read() = probe.read()

    /** Ends it where it has more anonymous memory than it may have and no kernel sees to that; whether it did. */
    fun overMemory(anonBytes: Long?): Boolean {
        if (group.isSuccess || anonBytes == null || anonBytes <= limitBytes) return false
        endedForMemory = true
        process.destroyForcibly()
        return true
    }

    /** Why it ended, in a sentence, or null while it lives. */
    fun end(): GatewayEnd? {
        if (process.isAlive) return null
        if (group.getOrNull()?.let { it.kills() > 0 } == true) endedForMemory = true
        process.waitFor(DRAINING_MS, TimeUnit.MILLISECONDS)
        readers.forEach { it.join(DRAINING_MS) }
        val said = words()
        return when {
            endedForMemory -> GatewayEnd("its memory was beyond ${limitBytes shr 20} MiB", overMemory = true)
            said != null && OUT in said -> GatewayEnd("out of memory, ${said.substringAfter(OUT).trim(' ', ':')}", overMemory = true)
            else -> GatewayEnd("it ended with code ${process.exitValue()}" + said?.let { ": $it" }.orEmpty(), overMemory = false)
        }
    }

    override fun close() {
        process.destroyForcibly()
        process.waitFor()
        group.getOrNull()?.close()
    }

    private fun words(): String? = lastWords.firstOrNull { "Error" in it || "Exception" in it } ?: lastWords.lastOrNull()

    private fun remember(line: String) {
        if (lastWords.size < MOST_WORDS) lastWords += line.take(WORD_CHARS)
    }

    private fun reader(name: String, body: () -> Unit) {
        readers +=
            Thread
                .ofPlatform()
                .daemon()
                .name("${ThreadOwners.HARNESS_PREFIX}$name")
                .start { runCatching(body) }
    }

    private companion object {
        private const val PATIENCE_S = 20L
        private const val MOST_WORDS = 40
        private const val WORD_CHARS = 200
        private const val DRAINING_MS = 1_000L
        private const val OUT = "OutOfMemoryError"

        /** Callers have machines of their own: here, where all share one, the generator goes first. */
        private val behindTheGenerator =
            if (Path.of("/usr/bin/nice").exists()) listOf("/usr/bin/nice", "-n", "5") else emptyList()
    }
}

/** Why a gateway ended. */
internal class GatewayEnd(
    val why: String,
    val overMemory: Boolean,
)
