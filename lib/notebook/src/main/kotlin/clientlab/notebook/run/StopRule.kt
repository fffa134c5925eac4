package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.stats.*
import java.math.BigDecimal
import java.math.MathContext
import kotlin.math.abs

/**
 * Decides when a run with a precision has enough rounds: when every treatment's interval is narrow enough. It reads whole rounds of the
 * journal alone, so a resumed run ends after the same round.
 *
 * It looks after [Precision.FIRST_LOOK] rounds (or after `forks` if that is more), then after every [Precision.BETWEEN_LOOKS] more, at
 * multiples of that number alone: a percentile interval of a median covers 96 % with 15, 25 or 35 values, and 91 % with 13 or 23.
 */
internal class StopRule private constructor(private val experiment: Experiment<*>, private val precision: Precision) {
    private val metric = precision.metricOf(experiment.workload)
    private val treatments = experiment.treatments
    private val first = maxOf(experiment.forks, Precision.FIRST_LOOK).let { (it + STEP - 1) / STEP * STEP }

    /** The rule in one sentence, for the manifest. */
    val sentence: String =
        "Whole rounds are added until both ends of the 95 % interval of the median of $metric are within ${precision.text} of it in " +
            "every treatment; that is looked at after $first rounds and then after every $STEP more, up to " +
            "${experiment.mostForks} rounds."

    /** The reason why the run ends after [rounds] rounds, whose trials are all in [kept]; null if it continues. */
    fun after(rounds: Int, kept: Kept): String? {
        val spent = rounds >= experiment.mostForks
        val due = rounds >= first && (rounds - first) % STEP == 0
        if (!spent && !due) return null
        val looks = treatments.mapIndexed { place, treatment -> Look(treatment, kept.values(place, rounds)) }
        val far = looks.filterNot { it.distance <= precision.percent }
        val hopeless = looks.all { it.forks == 0 } && kept.size > kept.invalid
        return when {
            far.isEmpty() -> "After $rounds rounds: every interval of $metric is within ${precision.text} of its median."
            spent -> "The budget of $rounds rounds is spent: ${named(far)}."
            hopeless -> "After $rounds rounds: no trial has $metric, and more of them would not either."
            else -> null
        }
    }

    private class Look(val treatment: Treatment, values: List<Double>) {
        val forks = values.size
        val distance = distance(values)
    }

    private fun named(far: List<Look>): String = far.take(MOST_NAMED).joinToString("; ", transform = ::where) +
        if (far.size > MOST_NAMED) "; ${far.size - MOST_NAMED} more are not there either" else ""

    private fun where(look: Look): String = name(look.treatment) +
        when {
            look.forks < FEWEST -> " has $metric in ${look.forks} trials that count"
            look.distance.isInfinite() -> " has an interval about a median of 0"
            else -> " is at ${BigDecimal(look.distance).round(MathContext(2)).stripTrailingZeros().toPlainString()} %"
        }

    /** A treatment's name: the levels that distinguish it from the others. */
    private fun name(treatment: Treatment): String {
        val telling = Factor.all.filter { factor -> treatments.map { it[factor] }.distinct().size > 1 }.toSet()
        return Treatment(treatment.levels.filterKeys { it in telling }.ifEmpty { treatment.levels }).toString()
    }

    companion object {
        /** The rule of [experiment], or null if it has no precision. */
        fun of(experiment: Experiment<*>): StopRule? = experiment.precision?.let { StopRule(experiment, it) }

        /** The distance in per cent from the median of [values] to the farther end of its interval; infinite if it cannot be computed. */
        fun distance(values: List<Double>): Double {
            if (values.size < FEWEST) return Double.POSITIVE_INFINITY
            val estimate = Bootstrap.median(values)
            val farther = maxOf(estimate.high - estimate.value, estimate.value - estimate.low)
            return if (farther == 0.0) 0.0 else farther / abs(estimate.value) * 100
        }

        /** As for claims: fewer values decide nothing. */
        private const val FEWEST = 5

        private const val STEP = Precision.BETWEEN_LOOKS
        private const val MOST_NAMED = 3
    }
}
