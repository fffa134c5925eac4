package clientlab.notebook.run

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.journal.*
import clientlab.probe.*

/** Reads the machine before a run, after every trial and between rounds, on the run's own thread, while no trial is in progress. */
internal class MachineWatch(
    private val files: SystemFiles = SystemFiles.here,
    private val nanos: () -> Long = System::nanoTime,
    private val pace: () -> Pace? = { Pace.measure() },
    private val calibrate: () -> Calibration? = { Calibration.measure() },
) {
    private lateinit var first: MachineCounters
    private lateinit var last: MachineCounters

    /** All readings so far, for the manifest. */
    lateinit var readings: MachineReadings
        private set

    /**
     * Reads the settings, calibrates and observes other processes before the run. The disturbed trials of an [earlier] part stay counted, and
     * its pace is kept.
     */
    fun before(earlier: MachineReadings? = null) {
        val settings = MachineSettings.read(files)
        val before = counters()
        val calibration = calibrate()
        val others = counters().spanSince(before)
        readings = MachineReadings(settings, calibration, others).copy(
            trials = earlier?.trials ?: 0,
            disturbed = earlier?.disturbed.orEmpty(),
            repeated = earlier?.repeated.orEmpty(),
            pace = earlier?.pace.orEmpty(),
        )
    }

    /** Marks the beginning of the trials: what was started before belongs to none of them. */
    fun begin() {
        first = counters()
        last = first
    }

    /** Measures the machine's pace [after] a round and [before] another. What that takes belongs to no trial. */
    fun betweenRounds(after: Int?, before: Int?) {
        val now = pace() ?: return
        readings = readings.copy(pace = readings.pace + PaceReading(after, before, now))
        last = counters()
    }

    /**
     * Reads what happened during the trials [planned], which were measured at the same time. They have just ended, and began when those before
     * them ended. Disturbed trials that [repeats] do not count, because they are measured again.
     */
    fun ended(planned: List<Planned>, repeats: Boolean = false): List<TrialReading> {
        val now = counters()
        val span = now.spanSince(last)
        val broken = MachineRules.trial(span)
        last = now
        val disturbed = if (broken.isEmpty()) emptyList() else planned.map { DisturbedTrial(it.round, "${it.treatment}", broken) }
        val during = readings.copy(during = now.spanSince(first))
        readings = if (disturbed.isNotEmpty() && repeats) {
            during.copy(repeated = during.repeated + disturbed)
        } else {
            during.copy(trials = during.trials + planned.size, disturbed = during.disturbed + disturbed)
        }
        return planned.map { TrialReading(it.round, it.treatment, span, broken) }
    }

    private fun counters() = MachineCounters.read(files, nanos = nanos())
}

/** These trials of one fork; the measured one has a warning for each disturbance. */
internal fun List<Trial>.warnedBy(reading: TrialReading): List<Trial> =
    map { if (it.warmup) it else it.copy(warnings = it.warnings + reading.disturbed) }
