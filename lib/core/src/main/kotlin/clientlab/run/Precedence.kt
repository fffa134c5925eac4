package clientlab.run

import java.lang.ProcessBuilder.Redirect
import java.nio.file.Files
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path

/**
 * Work on a thread that the system runs before all others of the machine, where it may: on Linux by a niceness of −20, which root and
 * holders of `CAP_SYS_NICE` may ask for. Elsewhere the thread is one like any other, and nothing fails.
 *
 * A thread that is started from this one would inherit its niceness; start those that are to be ordinary before.
 */
internal object Precedence {
    /** What [work] returns or throws, done in a thread of that [name]. */
    fun <T> run(name: String, work: () -> T): T {
        val task =
            FutureTask {
                take()
                work()
            }
        Thread(task, name).apply { isDaemon = true }.start()
        return task.get()
    }

    private fun take() {
        runCatching {
            val thread = Files.readSymbolicLink(Path("/proc/thread-self")).fileName.toString()
            ProcessBuilder("renice", "-n", "$MOST", "-p", thread)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start()
                .waitFor(PATIENCE_S, TimeUnit.SECONDS)
        }
    }

    private const val MOST = -20
    private const val PATIENCE_S = 2L
}
