package clientlab.gatewayload

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.serialization.Serializable
import java.nio.file.Path
import kotlin.io.path.exists

/** The task of a gateway: one line of JSON on its standard input. */
@Serializable
public data class GatewaySpec(val client: String, val inFlight: Int, val server: String)

/** The report of a gateway when it listens: one line of JSON on its standard output. */
@Serializable
public data class GatewayReady(val port: Int)

/** Why a gateway ended. */
internal class GatewayEnd(val why: String, val overMemory: Boolean)

/**
 * The gateway in a separate JVM with limited memory; it ends with [close] or with this process. Where this process can make no cgroup,
 * [overMemory] has to be asked often: it ends the gateway when its anonymous memory is beyond the limit. The kernel would end it sooner,
 * because it also counts the buffers of sockets and its own stack of each thread.
 */
internal class GatewayProcess(classpath: String, spec: GatewaySpec, memoryMiB: Long, jvmArgs: List<String>) : AutoCloseable {
    private val limitBytes = memoryMiB shl 20
    private val group = ProcessLimits.of(limitBytes)

    /** What its JVM has counted, as it told last; null before it has told. */
    @Volatile
    var counters: JvmCounters? = null
        private set
    private val jvm =
        ChildJvm(
            "gateway",
            ContainerJvm.options(memoryMiB) + "-XX:+ExitOnOutOfMemoryError" + jvmArgs + listOf("-cp", classpath, MAIN),
            before = behindTheGenerator,
            takes = { line -> JvmCounters.of(line)?.also { counters = it } != null },
            // A JVM without heap says so on standard output.
            isReply = { it.startsWith("{") },
        )

    val port: Int

    /** Whether we or the kernel ended it because of its memory. */
    @Volatile private var endedForMemory = false

    init {
        group.onSuccess { it.add(jvm.pid) }
        jvm.tell(LabJson.encodeToString(spec))
        val line = jvm.reply()
        if (line == null) {
            close()
            throw LabException("The gateway did not start: ${jvm.words() ?: "it said nothing"}")
        }
        port = LabJson.decodeFromString<GatewayReady>(line).port
    }

    val pid: Long get() = jvm.pid
    val alive: Boolean get() = jvm.alive

    /** How its memory is limited, in a sentence for the reader, where the kernel does not limit it. */
    val limitedBy: String? =
        group.exceptionOrNull()?.let { "The gateway's memory was watched and not limited by the kernel, for ${it.message}." }

    fun read(): ChildReading? = jvm.probe.read()

    /** Ends it where it has more anonymous memory than it may have and the kernel does not limit it; returns whether it did. */
    fun overMemory(anonBytes: Long?): Boolean {
        if (group.isSuccess || anonBytes == null || anonBytes <= limitBytes) return false
        endedForMemory = true
        jvm.kill()
        return true
    }

    /** Why it ended, in a sentence, or null while it runs. */
    fun end(): GatewayEnd? {
        if (jvm.alive) return null
        if (group.getOrNull()?.let { it.kills() > 0 } == true) endedForMemory = true
        jvm.drain()
        val said = jvm.words()
        return when {
            endedForMemory -> GatewayEnd("its memory was beyond ${limitBytes shr 20} MiB", overMemory = true)
            said != null && OUT in said -> GatewayEnd("out of memory, ${said.substringAfter(OUT).trim(' ', ':')}", overMemory = true)
            else -> GatewayEnd("it ended with code ${jvm.exitCode}" + said?.let { ": $it" }.orEmpty(), overMemory = false)
        }
    }

    override fun close() {
        jvm.close()
        group.getOrNull()?.close()
    }

    private companion object {
        private const val MAIN = "clientlab.gateway.GatewayMainKt"
        private const val OUT = "OutOfMemoryError"

        /** Real callers have machines of their own. Here they share one, so the generator runs first. */
        private val behindTheGenerator = if (Path.of("/usr/bin/nice").exists()) listOf("/usr/bin/nice", "-n", "5") else emptyList()
    }
}
