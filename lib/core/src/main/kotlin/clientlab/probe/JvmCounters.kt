package clientlab.probe

import clientlab.*
import kotlinx.serialization.Serializable
import java.io.PrintStream
import java.lang.management.ManagementFactory
import javax.management.JMException
import javax.management.ObjectName
import kotlin.time.Duration.Companion.milliseconds

/**
 * What a JVM has counted since its start.
 *
 * @property compiledMethods methods whose compiled code is in the code cache now, so it may fall; null where the JVM does not tell.
 */
@Serializable
internal data class JvmCounters(
    val allocatedBytes: Long,
    val collections: Long,
    val classesLoaded: Long,
    val compiledMethods: Long?,
) {
    companion object {
        private val threads = ManagementFactory.getThreadMXBean() as com.sun.management.ThreadMXBean
        private val classes = ManagementFactory.getClassLoadingMXBean()
        private val collectors = ManagementFactory.getGarbageCollectorMXBeans()
        private val server = ManagementFactory.getPlatformMBeanServer()
        private val diagnostics = ObjectName("com.sun.management:type=DiagnosticCommand")
        private val METHODS = Regex("nmethods=(\\d+)")

        /** Those of this JVM; reading them takes some microseconds. */
        fun read(): JvmCounters = JvmCounters(
            allocatedBytes = threads.totalThreadAllocatedBytes,
            collections = collectors.sumOf { it.collectionCount.coerceAtLeast(0) },
            classesLoaded = classes.totalLoadedClassCount,
            compiledMethods = compiledMethods(),
        )

        /** What `jcmd <pid> Compiler.codecache` says. */
        private fun compiledMethods(): Long? = try {
            val said = server.invoke(diagnostics, "compilerCodecache", null, null) as String
            METHODS.findAll(said).sumOf { it.groupValues[1].toLong() }
        } catch (_: JMException) {
            null
        }

        /** The counters in [line] of [reportCounters], or null where it is another line. */
        fun of(line: String): JvmCounters? =
            if (line.startsWith(REPORT)) LabJson.decodeFromString<JvmCounters>(line.removePrefix(REPORT)) else null
    }
}

/** Prints the counters of this JVM to [out] four times a second. The trial that has started this JVM reads them. */
public fun reportCounters(out: PrintStream) {
    Lookout("counters", EVERY) { out.println(REPORT + LabJson.encodeToString(JvmCounters.read())) }
}

private const val REPORT = "counters "
private val EVERY = 250.milliseconds
