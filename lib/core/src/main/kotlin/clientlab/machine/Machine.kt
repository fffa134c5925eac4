package clientlab.machine

import clientlab.probe.*
import com.sun.management.OperatingSystemMXBean
import com.sun.management.UnixOperatingSystemMXBean
import kotlinx.serialization.Serializable
import java.lang.management.ManagementFactory

/**
 * The machine and the Java that a run was made on, with the most [openFiles] of one process and the [load] average over the last minute; a
 * value is null if the system does not give it.
 */
@Serializable
public data class Machine(
    val os: String,
    val cpu: String,
    val cores: Int,
    val memoryBytes: Long,
    val openFiles: Long?,
    val load: Double?,
    val java: String,
    val javaVendor: String,
    val jvm: String,
) {
    public companion object {
        public fun read(): Machine {
            val system = ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean
            val cpu = SystemFiles.here.lines("proc/cpuinfo").firstOrNull { it.startsWith("model name") }
            return Machine(
                os = listOf("os.name", "os.version", "os.arch").joinToString(" ", transform = System::getProperty),
                cpu = cpu?.substringAfter(":")?.trim() ?: System.getenv("PROCESSOR_IDENTIFIER") ?: System.getProperty("os.arch"),
                cores = Runtime.getRuntime().availableProcessors(),
                memoryBytes = system.totalMemorySize,
                openFiles = (system as? UnixOperatingSystemMXBean)?.maxFileDescriptorCount,
                load = system.systemLoadAverage.takeIf { it >= 0 },
                java = System.getProperty("java.version"),
                javaVendor = System.getProperty("java.vendor"),
                jvm = "${System.getProperty("java.vm.name")} ${System.getProperty("java.vm.version")}",
            )
        }
    }
}
