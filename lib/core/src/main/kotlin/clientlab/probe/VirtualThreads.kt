package clientlab.probe

import com.sun.management.HotSpotDiagnosticMXBean
import java.lang.management.ManagementFactory
import java.nio.file.Files
import kotlin.io.path.deleteIfExists
import kotlin.io.path.useLines
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/** How many virtual threads there are, and how long it took to find out. */
public class VirtualThreadCount(
    public val count: Int,
    public val cost: Duration,
)

/**
 * Counts virtual threads by the JVM's own dump of all threads to a file (JEP 444), the only view that has them.
 *
 * The dump costs some hundred milliseconds at a thousand threads, so it is taken only where virtual threads have been started.
 */
public object VirtualThreads {
    /**
     * Virtual threads that are alive: those in the dump whose ids are neither among [platformIds] nor those of a platform thread now, for
     * the harness has threads of its own, and others may have been started since.
     */
    public fun count(platformIds: Set<Long>): VirtualThreadCount {
        val began = System.nanoTime()
        val platform = HashSet(platformIds)
        platform += threads.allThreadIds.asList()
        val folder = Files.createTempDirectory("client-lab-dump")
        val file = folder.resolve("threads.json")
        try {
            ManagementFactory
                .getPlatformMXBean(HotSpotDiagnosticMXBean::class.java)
                .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON)
            val all = file.useLines(block = ::ids)
            platform += threads.allThreadIds.asList()
            return VirtualThreadCount((all - platform).size, (System.nanoTime() - began).nanoseconds)
        } finally {
            file.deleteIfExists()
            folder.deleteIfExists()
        }
    }

    /** The ids of all threads but the JVM's own pollers, which are virtual and there as soon as one virtual thread waits for a socket. */
    private fun ids(lines: Sequence<String>): Set<Long> {
        val ids = HashSet<Long>()
        var last = 0L
        lines.forEach { line ->
            TID.find(line)?.let {
                last = it.groupValues[1].toLong()
                ids += last
            }
            if (POLLER.containsMatchIn(line)) ids -= last
        }
        return ids
    }

    private val threads = ManagementFactory.getThreadMXBean()
    private val POLLER = Regex("\"name\": \"[^\"]*Poller(-\\d+)?\"")
    private val TID = Regex("\"tid\": \"?(\\d+)")
}
