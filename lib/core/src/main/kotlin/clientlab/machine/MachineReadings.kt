package clientlab.machine

import clientlab.probe.*
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable

/**
 * The readings of the machine before and during a run, for the manifest. `machine.jsonl` has those of each trial.
 *
 * @property before what happened during the calibration, when nothing of ours ran.
 * @property during what happened from before the first trial to the end of the last; null before the first trial.
 * @property trials the number of trials with readings; [disturbed] are those in which a value exceeded its limit.
 * @property repeated disturbed trials that were measured again and are not among [trials]; see [clientlab.Experiment.repeats].
 * @property pace of the machine before the first round and after each; empty in older runs.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class MachineReadings(
    val settings: MachineSettings,
    val calibration: Calibration? = null,
    val before: MachineSpan? = null,
    val during: MachineSpan? = null,
    val trials: Int = 0,
    val disturbed: List<DisturbedTrial> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val repeated: List<DisturbedTrial> = emptyList(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val pace: List<PaceReading> = emptyList(),
)

/** A disturbed trial: its key within the run, and a sentence per disturbance. */
@Serializable
public data class DisturbedTrial(val round: Int, val treatment: String, val because: List<String>)

/**
 * The settings of the machine before the first trial; a value is null if the system does not give it.
 *
 * @property governors the governors of the processors' frequency, each kind once, as in `performance`.
 * @property clockSource the clock that the kernel, and so `System.nanoTime`, reads, as in `tsc`.
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
        public fun read(files: SystemFiles = SystemFiles.here): MachineSettings {
            val memory = files.lines("proc/meminfo")
            val total = memory.bytes("SwapTotal")
            return MachineSettings(
                load = load(files),
                governors = governors(files),
                clockSource = files.text("sys/devices/system/clocksource/clocksource0/current_clocksource")?.trim(),
                swapBytes = total,
                swapUsedBytes = memory.bytes("SwapFree")?.let { free -> total?.minus(free) },
            )
        }

        internal fun load(files: SystemFiles): Double? = files.text("proc/loadavg")?.substringBefore(' ')?.toDoubleOrNull()

        private fun governors(files: SystemFiles): List<String>? {
            val processors = files.names(PROCESSORS).filter(PROCESSOR::matches)
            val governors = processors.mapNotNull { files.text("$PROCESSORS/$it/cpufreq/scaling_governor")?.trim() }
            return governors.distinct().sorted().ifEmpty { null }
        }

        private const val PROCESSORS = "sys/devices/system/cpu"
        private val PROCESSOR = Regex("cpu\\d+")
    }
}
