package clientlab.machine

import clientlab.probe.*
import kotlinx.serialization.Serializable

/**
 * The settings of the machine before the first trial; a value is null if the system does not give it.
 *
 * @property load the load average over the last minute.
 * @property governors the governors of the processors' frequency, each kind once, as in `performance` or `powersave`.
 * @property clockSource the clock that the kernel, and so `System.nanoTime`, reads, as in `tsc`.
 * @property swapUsedBytes how much of swap was in use, of [swapBytes]; both 0 if there is none.
 */
@Serializable
public data class MachineSettings(
    val load: Double? = null,
    val governors: List<String>? = null,
    val clockSource: String? = null,
    val swapBytes: Long? = null,
    val swapUsedBytes: Long? = null,
) {
    public companion object {
        /** Reads them; costs less than a millisecond. */
        public fun read(files: SystemFiles = SystemFiles.here): MachineSettings {
            val memory = files.lines("proc/meminfo").associate { line ->
                line.substringBefore(':') to line.substringAfter(':').filter { it in '0'..'9' }.toLongOrNull()
            }
            val total = memory["SwapTotal"]
            val free = memory["SwapFree"]
            return MachineSettings(
                load = load(files),
                governors = governors(files),
                clockSource = files.text("sys/devices/system/clocksource/clocksource0/current_clocksource")?.trim(),
                swapBytes = total?.times(KIB),
                swapUsedBytes = if (total == null || free == null) null else (total - free) * KIB,
            )
        }

        internal fun load(files: SystemFiles): Double? = files.text("proc/loadavg")?.substringBefore(' ')?.toDoubleOrNull()

        private fun governors(files: SystemFiles): List<String>? =
            files
                .names(PROCESSORS)
                .filter { PROCESSOR.matches(it) }
                .mapNotNull { files.text("$PROCESSORS/$it/cpufreq/scaling_governor")?.trim() }
                .distinct()
                .sorted()
                .ifEmpty { null }

        private const val PROCESSORS = "sys/devices/system/cpu"
        private val PROCESSOR = Regex("cpu\\d+")
        private const val KIB = 1024
    }
}
