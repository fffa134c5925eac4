package clientlab.machine

import java.util.Locale

/**
 * A fact about the machine that readers should know.
 *
 * @property sentence for a table of notes; [clause] a few words for a caption.
 * @property unsettles whether it makes the whole run unsettled; otherwise it is only information.
 */
public data class Finding(
    val sentence: String,
    val clause: String,
    val unsettles: Boolean = true,
)

/** Turns readings into sentences. Every limit has its reason here. A value that cannot be read breaks no rule. */
public object MachineRules {
    /**
     * Load average per processor. At one, all processors are busy all the time. A kernel that has just started leaves a quarter of that on
     * two processors, and the average still contains the last minute: after a run of a thousand threads it is ten, although nothing runs.
     * So it unsettles a run only if the time of other processes cannot be read, as outside Linux.
     */
    public const val LOAD_PER_PROCESSOR: Double = 0.75

    /**
     * Processors that other processes keep busy. The programs of an idle desktop take less, and one tick too many in a short trial stays
     * below it.
     */
    public const val OTHERS_PROCESSORS: Double = 0.25

    /** Stolen share of all processors' time. The closest claims depend on differences of 5 %; less than half of that does not hide them. */
    public const val STEAL_SHARE: Double = 0.02

    /**
     * Processor time that a quota withheld. Quotas have periods of 100 ms; a tenth of one period lengthens a burst by more than its noise.
     */
    public const val THROTTLED_MS: Double = 10.0

    /** Pages to or from swap: 1 MiB. Single pages return long after memory was short, and do not disturb a trial. */
    public const val SWAPPED_PAGES: Long = 256

    /** The 99th percentile of how late a sleep of 1 ms may be, in µs: a thousandth of the usual delay of 2 s. */
    public const val TIMER_P99_US: Double = 2000.0

    /** What one round trip in a hundred may take on loopback, in µs; it is 20 to 100 on an idle machine. */
    public const val LOOPBACK_P99_US: Double = 2000.0

    /** The share of trials that may be disturbed. A median over ten forks is robust against more, but more is not a coincidence. */
    public const val DISTURBED_SHARE: Double = 0.05

    /** Clocks outside the processor. Reading one takes microseconds, and all readers wait for each other. */
    public val SLOW_CLOCKS: Set<String> = setOf("hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies")

    /** The governor that keeps the frequency constant. Others are usual on laptops, so they are reported but do not unsettle a run. */
    public const val STEADY_GOVERNOR: String = "performance"

    /** All findings from [machine] and, if there are any, [readings]. */
    public fun findings(machine: Machine, readings: MachineReadings?): List<Finding> =
        before(machine, readings) + listOfNotNull(readings?.let(::ofTrials))

    /** The findings from before the first trial. */
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

    /** A sentence for each disturbance of the trial with the reading [span]. */
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
