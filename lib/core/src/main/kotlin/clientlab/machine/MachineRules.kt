package clientlab.machine

import java.util.Locale

/** A fact about the machine for readers: a [sentence] for notes, a [clause] for captions, and whether it makes the run unsettled. */
public data class Finding(val sentence: String, val clause: String, val unsettles: Boolean = true)

/** Turns readings into sentences. Every limit has its reason here. A value that cannot be read breaks no rule. */
public object MachineRules {
    /**
     * Load average per processor. At one, all processors are busy all the time. The average still contains the last minute: after a run of
     * a thousand threads it is ten, although nothing runs. So this rule is used only where the processor time of other processes cannot be read.
     */
    private const val LOAD_PER_PROCESSOR = 0.75

    /** Processors that other processes keep busy. An idle desktop takes less, and one tick too many in a short trial stays below it. */
    private const val OTHERS_PROCESSORS = 0.25

    /** Stolen share of all processors' time. The closest claims depend on differences of 5 %; less than half of that does not hide them. */
    private const val STEAL_SHARE = 0.02

    /** Processor time that a quota withheld, in ms. A tenth of a quota's period of 100 ms lengthens a burst by more than its noise. */
    private const val THROTTLED_MS = 10.0

    /** Pages to or from swap: 1 MiB. Single pages return long after memory was short, and do not disturb a trial. */
    private const val SWAPPED_PAGES = 256L

    /** The 99th percentile of how late a sleep of 1 ms may be, in µs: a thousandth of the usual delay of 2 s. */
    private const val TIMER_P99_US = 2000.0

    /** What one round trip in a hundred may take on loopback, in µs; it is 20 to 100 on an idle machine. */
    private const val LOOPBACK_P99_US = 2000.0

    /** The share of trials that may be disturbed. A median over ten forks is robust against more, but more is not a coincidence. */
    private const val DISTURBED_SHARE = 0.05

    /** Clocks outside the processor. Reading one takes microseconds, and all readers wait for each other. */
    private val SLOW_CLOCKS = setOf("hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies")

    /** The governor that keeps the frequency constant. Others are usual on laptops, so they are reported but do not unsettle a run. */
    private const val STEADY_GOVERNOR = "performance"

    /** All findings from [machine] and, if there are any, [readings]. */
    public fun findings(machine: Machine, readings: MachineReadings?): List<Finding> =
        before(machine, readings) + listOfNotNull(readings?.let(::ofTrials)) + readings?.let { RunPace(it.pace).findings() }.orEmpty()

    /** The findings from before the first trial. */
    public fun before(machine: Machine, readings: MachineReadings?): List<Finding> {
        val settings = readings?.settings
        val others = readings?.before?.othersProcessors
        return listOfNotNull(
            load(settings?.load ?: machine.load, machine.cores, unsettles = readings != null && others == null),
            others.over(OTHERS_PROCESSORS)?.let {
                Finding(
                    "Others kept ${two(it)} processors busy before the first trial${busy(readings?.before?.othersBusy)}.",
                    "others on ${two(it)} processors before the first trial",
                )
            },
            settings?.clockSource?.takeIf { it in SLOW_CLOCKS }?.let {
                Finding("The kernel reads the time from $it, which is slow: every time that is taken costs time.", "clock source $it")
            },
            governor(settings?.governors.orEmpty() - STEADY_GOVERNOR),
        ) + readings?.calibration?.let(::ofCalibration).orEmpty()
    }

    /** A sentence for each disturbance of the trial with the reading [span]. */
    public fun trial(span: MachineSpan): List<String> = listOfNotNull(
        span.othersProcessors.over(OTHERS_PROCESSORS)?.let {
            "Others kept ${two(it)} processors busy during the trial${busy(span.othersBusy)}."
        },
        span.stealShare.over(STEAL_SHARE)?.let {
            "The host gave ${one(it * PERCENT)} % of the processors' time to other guests during the trial."
        },
        span.throttledMs.over(THROTTLED_MS)?.let {
            "A quota of the control group withheld ${one(it)} ms of processor time during the trial."
        },
        span.swappedPages.over(SWAPPED_PAGES)?.let { "$it pages went to swap or came from it during the trial." },
    )

    private fun load(load: Double?, processors: Int, unsettles: Boolean): Finding? = load.over(LOAD_PER_PROCESSOR * processors)?.let {
        Finding(
            "The load was ${one(it)} on $processors processors before the first trial: something else was running, or had just been.",
            "load ${one(it)} before the first trial",
            unsettles,
        )
    }

    private fun governor(others: List<String>): Finding? {
        if (others.isEmpty()) return null
        val named = others.joinToString(" and ")
        val sentence = "The frequency of the processors is not held: the governor is $named, not $STEADY_GOVERNOR."
        return Finding(sentence, "governor $named", unsettles = false)
    }

    private fun ofCalibration(calibration: Calibration): List<Finding> = listOfNotNull(
        calibration.timerOvershootP99Us.over(TIMER_P99_US)?.let {
            Finding(
                "One in a hundred sleeps of 1 ms was more than ${ms(it)} ms too long before the first trial.",
                "timers ${ms(it)} ms late",
            )
        },
        calibration.loopbackRoundTripP99Us.over(LOOPBACK_P99_US)?.let {
            Finding(
                "One in a hundred round trips of one byte on loopback took more than ${ms(it)} ms before the first trial.",
                "loopback round trips of ${ms(it)} ms",
            )
        },
    )

    private fun ofTrials(readings: MachineReadings): Finding? {
        val disturbed = readings.disturbed.size
        if (disturbed <= DISTURBED_SHARE * readings.trials) return null
        val trials = "$disturbed of ${readings.trials} trials"
        return Finding("$trials were disturbed; each says by what in its warnings.", "$trials disturbed")
    }

    private fun busy(processes: Int?): String = when (processes) {
        null, 0 -> ""
        1 -> ", one busy process among them"
        else -> ", $processes busy processes among them"
    }

    private fun <T : Comparable<T>> T?.over(limit: T): T? = if (this != null && this > limit) this else null

    private fun one(value: Double) = "%.1f".format(Locale.ROOT, value)

    private fun two(value: Double) = "%.2f".format(Locale.ROOT, value)

    private fun ms(us: Double) = one(us / US_PER_MS)

    private const val US_PER_MS = 1000
    private const val PERCENT = 100
}
