package clientlab.probe

import com.sun.management.HotSpotDiagnosticMXBean
import java.lang.management.ManagementFactory
import kotlin.io.path.createTempDirectory
import kotlin.io.path.deleteIfExists
import kotlin.io.path.useLines
import kotlin.time.Duration
import kotlin.time.measureTimedValue

/** The number of virtual threads, and the time of the count. */
public class VirtualThreadCount internal constructor(public val count: Int, public val cost: Duration)

/**
 * Counts virtual threads with the JVM's dump of all threads to a file (JEP 444), the only view that has them. It takes about a hundred
 * milliseconds for a thousand threads, so take it only if virtual threads were started.
 */
internal object VirtualThreads {
    private val threads = ManagementFactory.getThreadMXBean()
    private val diagnostics = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean::class.java)
    private val POLLER = Regex("\"name\": \"[^\"]*Poller(-\\d+)?\"")
    private val TID = Regex("\"tid\": \"?(\\d+)")

    /**
     * Live virtual threads: those in the dump whose ids are neither in [platformIds] nor those of a current platform thread, because the
     * harness has its own threads and others may have been started since.
     */
    fun count(platformIds: Set<Long>): VirtualThreadCount {
        val (count, cost) = measureTimedValue {
            val before = threads.allThreadIds.toSet()
            (dumped() - platformIds - before - threads.allThreadIds.toSet()).size
        }
        return VirtualThreadCount(count, cost)
    }

    private fun dumped(): Set<Long> {
        val folder = createTempDirectory("client-lab-dump")
        val file = folder.resolve("threads.json")
        try {
            diagnostics.dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON)
            return file.useLines(block = ::ids)
        } finally {
            file.deleteIfExists()
            folder.deleteIfExists()
        }
    }

    /** The ids of all threads except the JVM's own pollers. These are virtual, and exist as soon as a virtual thread waits for a socket. */
    private fun ids(lines: Sequence<String>): Set<Long> {
        val ids = LinkedHashSet<Long>()
        lines.forEach { line ->
            TID.find(line)?.let { ids += it.groupValues[1].toLong() }
            if (POLLER.containsMatchIn(line)) ids -= ids.last()
        }
        return ids
    }
}
