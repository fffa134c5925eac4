package clientlab.probe

import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Checks every [interval] which platform threads are inside a read or write of a file: with any API some thread waits there. [caller] asks
 * for the transfer.
 */
internal class FileThreads(private val caller: Thread, interval: Duration = 1.milliseconds) : AutoCloseable {
    private val seen: MutableSet<Thread> = ConcurrentHashMap.newKeySet()
    private val lookout = Lookout("file-threads", interval, ::look)

    /** The number of threads that were seen there. */
    val all: Int get() = seen.size

    /** The number of those that were not the caller. */
    val behind: Int get() = seen.count { it !== caller }

    override fun close(): Unit = lookout.close()

    private fun look() =
        Thread.getAllStackTraces().forEach { (thread, stack) ->
            val harness = thread.name.startsWith(ThreadOwners.HARNESS_PREFIX)
            if (!harness && stack.firstOrNull()?.let(::inFile) == true) seen += thread
        }

    internal companion object {
        private val STREAMS = setOf("java.io.FileInputStream", "java.io.FileOutputStream", "java.io.RandomAccessFile")
        private val MOVING = Regex("p?(read|write)v?(Bytes)?0?|transferTo0|transferFrom0")

        /** `sun.nio.ch.UnixFileDispatcherImpl` on Linux, `FileDispatcherImpl` before Java 21 and on Windows. */
        fun inFile(frame: StackTraceElement): Boolean {
            val ofFile = frame.className in STREAMS || (frame.className.startsWith("sun.nio.ch.") && "FileDispatcher" in frame.className)
            return ofFile && MOVING.matches(frame.methodName)
        }
    }
}
