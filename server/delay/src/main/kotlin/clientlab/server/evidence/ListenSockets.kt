package clientlab.server.evidence

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/**
 * What the listening sockets of this server dropped, as `ss` (iproute2) shows it. [ListenQueues] counts those of the whole machine, so a
 * full queue of another process would be taken for one of this server. It asks only when it has to: `ss` is a process.
 */
internal class ListenSockets {
    /** Those on which the server listens. */
    val ports: MutableSet<Int> = sortedSetOf()
    private var drops = 0L // when they were last read
    private var dropsAtReset = 0L

    fun reset() {
        dropsAtReset = drops
    }

    /** Null if there is no `ss`, or it does not say. */
    fun dropsSinceReset(): Long? = read()?.let {
        drops = it
        it - dropsAtReset
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
