package clientlab.notebook.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

/** How two measurements of the same thing compare. */
public enum class Agreement(private val words: String) {
    Agrees("agrees"),
    Undecided("undecided"),
    Differs("differs"),
    ;

    override fun toString(): String = words
}

/**
 * Whether two independent estimates agree, by two one-sided tests (D. Schuirmann, 1987): they agree if the whole 95 % interval of their
 * ratio lies between 1 / [within] and [within], differ if all of it lies outside, and otherwise there are too few data. 1.25 is the bound
 * of bioequivalence.
 *
 * The interval of the ratio comes from the two intervals alone (MOVER on logarithms: A. Donner and G. Zou, *Closed-form confidence
 * intervals for functions of the normal mean and standard deviation*, 2012). If one reaches zero, the difference must lie within the same
 * share.
 */
public class Equivalence(private val within: Double = 1.25) {
    init {
        require(within > 1) { "A factor of $within holds no two values equal: give one above 1, as in 1.25." }
    }

    /** Compares [later] with [earlier]. Undecided if one of them has no data. */
    public fun of(earlier: Estimate, later: Estimate): Agreement {
        if (earlier.n == 0 || later.n == 0) return Agreement.Undecided
        if (earlier.isExactly(later)) return Agreement.Agrees
        if (earlier.low > 0 && later.low > 0) return inside(ratio(earlier, later), 1 / within, within)
        val margin = (within - 1) * maxOf(abs(earlier.value), abs(later.value))
        return inside(difference(earlier, later), -margin, margin)
    }

    /** [later] as a multiple of [earlier], both above zero, with its 95 % interval. */
    public fun ratio(earlier: Estimate, later: Estimate): Estimate {
        val logs = difference(earlier.map(::ln), later.map(::ln))
        return logs.map(::exp).copy(method = "ratio $METHOD")
    }

    private fun difference(earlier: Estimate, later: Estimate): Estimate {
        val value = later.value - earlier.value
        val below = sqrt(square(later.value - later.low) + square(earlier.high - earlier.value))
        val above = sqrt(square(later.high - later.value) + square(earlier.value - earlier.low))
        return Estimate(value, value - below, value + above, minOf(earlier.n, later.n), "difference $METHOD")
    }

    private fun inside(interval: Estimate, low: Double, high: Double): Agreement = when {
        interval.low >= low && interval.high <= high -> Agreement.Agrees
        interval.high < low || interval.low > high -> Agreement.Differs
        else -> Agreement.Undecided
    }

    private fun Estimate.isExactly(other: Estimate) = low == high && other.low == other.high && value == other.value

    private fun Estimate.map(change: (Double) -> Double) = copy(value = change(value), low = change(low), high = change(high))

    private fun square(x: Double) = x * x
}

private const val METHOD = "of two runs, 95 % interval from those of both"
