package clientlab.machine

import java.util.Locale

/**
 * Something about the machine that a reader of its numbers should know.
 *
 * @property sentence for a table of notes; [clause] a few words for a caption.
 * @property unsettles whether the whole run is called unsettled for it; else it is only worth knowing.
 */
public data class Finding(
    val sentence: String,
    val clause: String,
    val unsettles: Boolean = true,
)

/** From readings to sentences. Every limit says why it lies where it does; what is not readable breaks no rule. */
public object MachineRules {
    /**
     * Load average for each processor. From one on all are wanted all of the time; a kernel that has just been started leaves a quarter
     * of that on two processors, and what ran within the last minute is half forgotten: a run of a thousand threads leaves a load of ten
     * behind, though nothing runs. So it unsettles a run only where what others take cannot be read, as outside Linux.
     */
    public const val LOAD_PER_PROCESSOR: Double = 0.75

    /** Processors that others keep busy. An idle desktop's programs take less together, and a tick too much in a short trial is no more. */
    public const val OTHERS_PROCESSORS: Double = 0.25

    /** Stolen share of all processors' time. Differences of 5 % are what the closest claims rest on; less than half of that hides none. */
    public const val STEAL_SHARE: Double = 0.02

    /** Processor time that a quota withheld. A quota is by periods of 100 ms; a tenth of one lengthens a burst by more than its noise. */
    public const val THROTTLED_MS: Double = 10.0

    /** Pages to or from swap, 1 MiB of them: single pages come back long after memory was short, and cost a trial nothing. */
    public const val SWAPPED_PAGES: Long = 256

    /** What one sleep of 1 ms in a hundred may be too long, in µs: a thousandth of the delay of 2 s that most trials wait for. */
    public const val TIMER_P99_US: Double = 2000.0

    /** What one round trip in a hundred may take on loopback, in µs; it is 20 to 100 where nobody else wants the processors. */
    public const val LOOPBACK_P99_US: Double = 2000.0

    /** The share of trials that may be disturbed. A median over ten forks holds against more, but then it is no chance any longer. */
    public const val DISTURBED_SHARE: Double = 0.05

    /** Clocks outside the processor: to read one takes a microsecond or several, and all readers queue for it. */
    public val SLOW_CLOCKS: Set<String> = setOf("hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies")

    /** The governor that keeps the frequency. Others are usual on laptops, so they are told and do not unsettle a run. */
    public const val STEADY_GOVERNOR: String = "performance"

    /** All that [machine] and, where they were taken, [readings] say of a run. */
    public fun findings(machine: Machine, readings: MachineReadings?): List<Finding> =
        before(machine, readings) + listOfNotNull(readings?.let(::ofTrials))

    /** What was to be seen before the first trial. */
    public fun before(machine: Machine, readings: MachineReadings?): List<Finding> =
        listOfNotNull(
            load(
                readings?.settings?.load ?: machine.load,
                machine.cores,
                unsettles = readings != null && readings.before?.othersProcessors == null,
            ),
            readings?.before?.let(::othersBefore),
            readings?.settings?.clockSource?.let(::clock),
            readings?.settings?.governors?.let(::governor),
            readings?.calibration?.let(::timer),
            readings?.calibration?.let(::loopback),
        )

    /** What disturbed the trial that [span] was read for, a sentence each. */
    public fun trial(span: MachineSpan): List<String> =
        listOfNotNull(
            span.othersProcessors?.takeIf { it > OTHERS_PROCESSORS }?.let {
                "Others kept ${two(it)} processors busy during the trial${busy(span.othersBusy)}."
            },
            span.stealShare?.takeIf { it > STEAL_SHARE }?.let {
                "The host gave ${percent(it)} of the processors' time to other guests during the trial."
            },
            span.throttledMs?.takeIf { it > THROTTLED_MS }?.let {
                "A quota of the control group withheld ${one(it)} ms of processor time during the trial."
            },
            span.swappedPages?.takeIf { it > SWAPPED_PAGES }?.let { "$it pages went to swap or came from it during the trial." },
        )

    private fun load(load: Double?, processors: Int, unsettles: Boolean): Finding? {
        if (load == null || load <= LOAD_PER_PROCESSOR * processors) return null
        return Finding(
            "The load was ${one(load)} on $processors processors before the first trial: something else was running, or had just been.",
            "load ${one(load)} before the first trial",
            unsettles,
        )
    }

    private fun othersBefore(span: MachineSpan): Finding? {
        val others = span.othersProcessors?.takeIf { it > OTHERS_PROCESSORS } ?: return null
        return Finding(
            "Others kept ${two(others)} processors busy before the first trial${busy(span.othersBusy)}.",
            "others on ${two(others)} processors before the first trial",
        )
    }

    private fun clock(source: String): Finding? =
        if (source in SLOW_CLOCKS) {
            Finding("The kernel reads the time from $source, which is slow: every time that is taken costs time.", "clock source $source")
        } else {
            null
        }

    private fun governor(governors: List<String>): Finding? {
        val others = governors.filter { it != STEADY_GOVERNOR }.ifEmpty { return null }
        return Finding(
            "The frequency of the processors is not held: the governor is ${others.joinToString(" and ")}, not $STEADY_GOVERNOR.",
            "governor ${others.joinToString(" and ")}",
            unsettles = false,
        )
    }

    private fun timer(calibration: Calibration): Finding? {
        val late = calibration.timerOvershootP99Us.takeIf { it > TIMER_P99_US } ?: return null
        return Finding(
            "One in a hundred sleeps of 1 ms was more than ${ms(late)} ms too long before the first trial.",
            "timers ${ms(late)} ms late",
        )
    }

    private fun loopback(calibration: Calibration): Finding? {
        val trip = calibration.loopbackRoundTripP99Us.takeIf { it > LOOPBACK_P99_US } ?: return null
        return Finding(
            "One in a hundred round trips of one byte on loopback took more than ${ms(trip)} ms before the first trial.",
            "loopback round trips of ${ms(trip)} ms",
        )
    }

    private fun ofTrials(readings: MachineReadings): Finding? {
        val disturbed = readings.disturbed.size
        if (disturbed <= DISTURBED_SHARE * readings.trials) return null
        return Finding(
            "$disturbed of ${readings.trials} trials were disturbed; each says by what in its warnings.",
            "$disturbed of ${readings.trials} trials disturbed",
        )
    }

    private fun busy(processes: Int?): String =
        when (processes) {
            null, 0 -> ""
            1 -> ", one busy process among them"
            else -> ", $processes busy processes among them"
        }

    private fun one(value: Double) = "%.1f".format(Locale.ROOT, value)

    private fun two(value: Double) = "%.2f".format(Locale.ROOT, value)

    private fun ms(us: Double) = one(us / US_PER_MS)

    private fun percent(share: Double) = "${one(share * PERCENT)} %"

    private const val US_PER_MS = 1000
    private const val PERCENT = 100
}
