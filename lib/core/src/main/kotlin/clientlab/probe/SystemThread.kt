package clientlab.probe

import java.lang.ProcessBuilder.Redirect
import java.nio.file.Files
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path

/** The calling thread, as the programs of Linux know it. */
internal object SystemThread {
    /** Its number in the system, or null where the system is not Linux. */
    private val number: String?
        get() = runCatching { Files.readSymbolicLink(Path("/proc/thread-self")).fileName.toString() }.getOrNull()

    /** Runs [command] with the thread's number as its last argument. Returns whether it succeeded. */
    fun change(vararg command: String): Boolean {
        val thread = number ?: return false
        return runCatching {
            val process = ProcessBuilder(*command, thread).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start()
            process.waitFor(PATIENCE_S, TimeUnit.SECONDS) && process.exitValue() == 0
        }.getOrDefault(false)
    }

    private const val PATIENCE_S = 2L
}
