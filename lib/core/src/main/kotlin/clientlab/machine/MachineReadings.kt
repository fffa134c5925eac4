package clientlab.machine

import kotlinx.serialization.Serializable

/**
 * What was read of the machine before and during a run, as its manifest keeps it; what each trial took place in stands in `machine.jsonl`.
 *
 * @property settings what does not change from trial to trial; [calibration] how well time and bytes were kept before the first.
 * @property before what went on during the calibration, when nothing of ours ran.
 * @property during what went on from before the first trial to the end of the last; null while there has been none.
 * @property trials how many trials were watched; [disturbed] those of them in which something was beyond its limit.
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

/** A trial that something disturbed: its key within the run, and a sentence for each thing that did. */
@Serializable
public data class DisturbedTrial(
    val round: Int,
    val treatment: String,
    val because: List<String>,
)
