package clientlab

import kotlinx.serialization.Serializable
import java.math.BigDecimal

/**
 * How precisely a run has to know the median of a metric: it adds whole rounds until both ends of each treatment's 95 % interval, as
 * `summary()` shows it, are at most [percent] per cent of the median away, or until `maxForks` rounds are done.
 *
 * A run that stops when its data are good has intervals that hold the truth less often than they say: in 90 to 93 of 100 cases
 * (`StopRuleCoverageTest`; P. Armitage, C. McPherson and B. Rowe, *Repeated significance tests on accumulating data*, 1969). So it looks
 * seldom, after [FIRST_LOOK] rounds and then after every [BETWEEN_LOOKS]. Give `forks` where the interval itself matters.
 *
 * @property metric the metric's name, or null for the workload's main one.
 */
@Serializable
public data class Precision(val percent: Double, val metric: String? = null) {
    init {
        refuseUnless(percent > 0 && percent < 100) {
            "A precision of $text is impossible: write more than 0 and less than 100, as in 2.percent."
        }
    }

    /** [percent] for a reader, as in `2 %`. */
    public val text: String
        get() = (if (percent.isFinite()) BigDecimal(percent.toString()).stripTrailingZeros().toPlainString() else "$percent") + " %"

    /** This precision for another metric, as in `2.percent of "latencyP50Ms"`. */
    public infix fun of(metric: String): Precision = copy(metric = metric)

    /** The name of the metric that is looked at in trials of [workload]. */
    public fun metricOf(workload: Workload): String = metric ?: workload.mainMetric.name

    /** Refuses a metric that no trial of [workload] has. */
    internal fun check(workload: Workload) {
        val wanted = metricOf(workload)
        refuseUnless(workload.metrics.any { it.name == wanted }) {
            "No trial of this workload has the metric '$wanted', so no precision can be asked of it; it has " +
                "${workload.metrics.joinToString { it.name }}."
        }
    }

    public companion object {
        public const val FIRST_LOOK: Int = 10
        public const val BETWEEN_LOOKS: Int = 5

        /** The most rounds of a run with a precision, by default. */
        public const val USUAL_BUDGET: Int = 40
    }
}

/** So many per cent, as in `Experiment(…, precision = 2.percent)` or `0.5.percent`. */
public val Number.percent: Precision get() = Precision(toDouble())
