package clientlab.probe

import com.sun.management.HotSpotDiagnosticMXBean
import java.lang.management.ManagementFactory
import java.nio.file.Files
import kotlin.io.path.deleteIfExists
import kotlin.io.path.useLines
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/** The number of virtual threads, and the time of the count. */
public class VirtualThreadCount(public val count: Int, public val cost: Duration)

/**
 * Counts virtual threads with the JVM's dump of all threads to a file (JEP 444), the only view that has them.
 *
 * The dump takes about a hundred milliseconds for a thousand threads, so it is taken only if virtual threads were started.
 */
public object VirtualThreads {
    /**
     * Live virtual threads: those in the dump whose ids are neither in [platformIds] nor those of a current platform thread, because the
     * harness has its own threads and others may have been started since.
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

    /** The ids of all threads except the JVM's own pollers. These are virtual, and exist as soon as a virtual thread waits for a socket. */
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
