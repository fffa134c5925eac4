package clientlab.probe

import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Checks every [interval] which platform threads are inside a read or write of a file. With any API some thread waits there.
 *
 * It looks at the innermost frame, which is then a native method of the JDK's file classes. It runs on its own daemon thread.
 *
 * @param caller the thread that asks for the transfer.
 */
public class FileThreads(private val caller: Thread, private val interval: Duration = 1.milliseconds) : AutoCloseable {
    private val seen: MutableSet<Thread> = ConcurrentHashMap.newKeySet()
    private val looker = Thread
        .ofPlatform()
        .daemon()
        .name("${ThreadOwners.HARNESS_PREFIX}file-threads")
        .start(::look)

    /** The number of threads that were seen there. */
    public val all: Int get() = seen.size

    /** The number of those that were not the caller. */
    public val behind: Int get() = seen.count { it !== caller }

    override fun close() {
        looker.interrupt()
        looker.join()
    }

    private fun look() {
        try {
            while (true) {
                Thread.getAllStackTraces().forEach { (thread, stack) ->
                    val harness = thread.name.startsWith(ThreadOwners.HARNESS_PREFIX)
                    if (!harness && stack.firstOrNull()?.let(::inFile) == true) seen += thread
                }
                Thread.sleep(interval.inWholeMilliseconds)
            }
        } catch (_: InterruptedException) {
            // Closed.
        }
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
