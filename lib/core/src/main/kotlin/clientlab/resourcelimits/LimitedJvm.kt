package clientlab.resourcelimits

import clientlab.*
import clientlab.probe.*
import clientlab.trial.*

/**
 * A JVM with a client in it under limits of memory and threads; [close] ends it, and it ends with this process. Throws [LabException] where
 * this process may set no limits, or where the JVM does not start within them.
 */
internal class LimitedJvm(classpath: String, spec: LimitedJvmSpec, memoryMiB: Long, threads: Int, jvmArgs: List<String>) : AutoCloseable {
    private val limits =
        ProcessLimits.of(memoryMiB shl 20, threads).getOrElse { throw LabException("No limit can be set here: ${it.message}.") }
    private val jvm =
        ChildJvm(
            "limited",
            ContainerJvm.options(memoryMiB) + jvmArgs + listOf("-cp", classpath, LimitedJvmMain::class.java.name),
            isReply = { it == READY || it.startsWith(FAILED) },
        )
    private var failure: String? = null

    init {
        limits.add(jvm.pid)
        jvm.tell(LabJson.encodeToString(spec))
        if (jvm.reply() != READY) {
            close()
            throw LabException("The JVM did not start within its limits: ${words() ?: "it said nothing"}")
        }
    }

    val alive: Boolean get() = jvm.alive

    /** The first request that failed, as `<kind>: <the exception>`, or null. */
    val failed: String?
        get() {
            if (failure == null) failure = jvm.pending()?.removePrefix(FAILED)
            return failure
        }

    /** Raises the load to [load] requests; does nothing where the JVM has ended. */
    fun raise(load: Int): Unit = runCatching { jvm.tell("$load") }.let {}

    fun read(): ChildReading? = jvm.probe.read()

    /** Why it ended, as a kind and in a sentence, or null while it lives. */
    fun end(): Pair<String, String>? {
        if (jvm.alive) return null
        jvm.drain()
        if (limits.kills() > 0) return "killed" to "the kernel ended it for want of memory"
        val last = words()
        val kind = last?.let { Regex("[A-Za-z]+(Error|Exception)").find(it)?.value }
        return (kind ?: "ended with code ${jvm.exitCode}") to (last ?: "it said nothing")
    }

    fun words(): String? = jvm.words()

    override fun close() {
        jvm.close()
        limits.close()
    }

    companion object {
        const val READY = "ready"
        const val FAILED = "failed "
    }
}
