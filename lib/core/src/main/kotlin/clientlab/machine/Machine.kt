package clientlab.machine

import com.sun.management.OperatingSystemMXBean
import com.sun.management.UnixOperatingSystemMXBean
import kotlinx.serialization.Serializable
import java.lang.management.ManagementFactory
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.useLines

/**
 * The machine and the Java that a run was made on.
 *
 * @property openFiles the most files and sockets that one process may have open, or null if the system does not give it.
 * @property load the system's load average over the last minute when this was read, or null if the system does not give it.
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
        /** Reads this machine now. */
        public fun read(): Machine {
            val system = ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean
            return Machine(
                os = listOf("os.name", "os.version", "os.arch").joinToString(" ", transform = System::getProperty),
                cpu = cpuModel() ?: System.getProperty("os.arch"),
                cores = Runtime.getRuntime().availableProcessors(),
                memoryBytes = system.totalMemorySize,
                openFiles = (system as? UnixOperatingSystemMXBean)?.maxFileDescriptorCount,
                load = system.systemLoadAverage.takeIf { it >= 0 },
                java = System.getProperty("java.version"),
                javaVendor = System.getProperty("java.vendor"),
                jvm = "${System.getProperty("java.vm.name")} ${System.getProperty("java.vm.version")}",
            )
        }

        private fun cpuModel(): String? {
            val info = Path.of("/proc/cpuinfo")
            if (!info.exists()) return System.getenv("PROCESSOR_IDENTIFIER")
            return info.useLines { lines -> lines.firstOrNull { it.startsWith("model name") }?.substringAfter(':')?.trim() }
        }
    }
}
