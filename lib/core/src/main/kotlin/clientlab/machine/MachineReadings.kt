package clientlab.machine

import kotlinx.serialization.Serializable

/**
 * The readings of the machine before and during a run, for the manifest. `machine.jsonl` has those of each trial.
 *
 * @property settings values that do not change between trials; [calibration] the accuracy of timers and loopback before the first trial.
 * @property before what happened during the calibration, when nothing of ours ran.
 * @property during what happened from before the first trial to the end of the last; null before the first trial.
 * @property trials the number of trials with readings; [disturbed] those in which a value exceeded its limit.
 */
@Serializable
public data class MachineReadings(
    val settings: MachineSettings,
    val calibration: Calibration? = null,
    val before: MachineSpan? = null,
    val during: MachineSpan? = null,
    val trials: Int = 0,
    val disturbed: List<DisturbedTrial> = emptyList(),
)

/** A disturbed trial: its key within the run, and a sentence per disturbance. */
@Serializable
public data class DisturbedTrial(
    val round: Int,
    val treatment: String,
    val because: List<String>,
)
