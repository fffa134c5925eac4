package clientlab.server.evidence

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/**
 * What the listening sockets of this server dropped, as `ss` (iproute2) shows it. [ListenQueues] counts those of the whole machine, so a
 * full queue of another process would be taken for one of this server. `ss` is a process, and the event loop waits for it. So it is asked
 * only after the machine's count has moved.
 */
internal class ListenSockets {
    /** Those on which the server listens. */
    val ports: MutableSet<Int> = sortedSetOf()
    private var drops: Long? = 0 // at the last reading
    private var overflows: Long? = 0 // of the machine since the reset, at that reading
    private var dropsAtReset = 0L

    fun reset() {
        dropsAtReset = drops ?: dropsAtReset
        overflows = 0
        drops = dropsAtReset
    }

    /** Of [ofMachine] overflows since the reset; null if there is no `ss`, or it does not say. */
    fun dropsSinceReset(ofMachine: Long?): Long? {
        if (ofMachine != overflows) {
            overflows = ofMachine
            drops = read()
        }
        return drops?.minus(dropsAtReset)
    }

    private fun read(): Long? = runCatching {
        val said = Files.createTempFile("listening", ".txt")
        try {
            val filter = ports.joinToString(" or ") { "sport = :$it" }
            val ss = ProcessBuilder("ss", "-ltnmH", filter).redirectErrorStream(true).redirectOutput(said.toFile()).start()
            if (ss.waitFor(WAIT_MS, TimeUnit.MILLISECONDS)) sum(said) else null.also { ss.destroyForcibly() }
        } finally {
            Files.delete(said)
        }
    }.getOrNull()

    private fun sum(said: Path): Long? =
        DROPS.findAll(Files.readString(said)).map { it.groupValues[1].toLong() }.toList().takeIf { it.size >= ports.size }?.sum()
}

private const val WAIT_MS = 1_000L
private val DROPS = Regex("""skmem:\(.*?,d(\d+)\)""")
