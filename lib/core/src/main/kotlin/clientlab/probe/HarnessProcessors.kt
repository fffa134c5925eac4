package clientlab.probe

import java.util.concurrent.CopyOnWriteArraySet

/**
 * The processors of the harness's own threads in a trial JVM whose client has processors of its own. The launcher names them in the system
 * property [PROPERTY].
 */
public object HarnessProcessors {
    public const val PROPERTY: String = "clientlab.harnessProcessors"

    private val ours: List<Int> = AllowedProcessors.parse(System.getProperty(PROPERTY).orEmpty())
    private val left = CopyOnWriteArraySet<String>()

    /** Whether the launcher named any. */
    internal val named: Boolean get() = ours.isNotEmpty()

    /** The names of threads that could not be moved. */
    internal val stayed: Set<String> get() = left

    /**
     * Moves the calling thread to these processors; without any it does nothing. It takes some milliseconds. Threads that it starts later
     * inherit them, so it must start none that runs the client's code. If it fails, the trial becomes invalid.
     */
    public fun take() {
        if (!named) return
        SystemThread.change("taskset", "-c", "-p", ours.joinToString(","))
        if (AllowedProcessors.of("thread-self") != ours) left += Thread.currentThread().name
    }
}
