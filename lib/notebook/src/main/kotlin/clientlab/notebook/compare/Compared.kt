package clientlab.notebook.compare

import clientlab.notebook.stats.*

/** What is said of a candidate beside its base. */
public enum class CompareOutcome(private val words: String) {
    /** All of the interval of the ratio lies within the margin. */
    Equivalent("equivalent"),

    /** All of it lies on the better side of 1, and not within the margin. */
    Better("better"),

    /** All of it lies on the worse side of 1, and not within the margin. */
    Worse("worse"),

    /** It holds 1 and crosses an end of the margin, or there are too few pairs. */
    Undecided("undecided"),
    ;

    override fun toString(): String = words
}

/**
 * A measure of both clients, paired by round, because a round is measured within minutes and the machine drifts over hours.
 *
 * @property ratio the candidate's values divided by the base's, round by round: their median.
 * @property difference the candidate's values less the base's, round by round: their median.
 */
internal class Compared(
    val measure: Measure,
    val base: Estimate,
    val candidate: Estimate,
    val ratio: Estimate,
    val difference: Estimate,
    margin: Double,
) {
    val outcome: CompareOutcome = when {
        ratio.n < FEWEST -> CompareOutcome.Undecided
        ratio.low >= 1 / margin && ratio.high <= margin -> CompareOutcome.Equivalent
        ratio.low > 1 -> if (measure.less) CompareOutcome.Worse else CompareOutcome.Better
        ratio.high < 1 -> if (measure.less) CompareOutcome.Better else CompareOutcome.Worse
        else -> CompareOutcome.Undecided
    }

    /** Whether more pairs may change [outcome]: an end of the margin lies within the interval of the ratio. */
    val isOpen: Boolean = ratio.n >= FEWEST && listOf(1 / margin, margin).any { ratio.low < it && it < ratio.high }

    companion object {
        private const val FEWEST = 5

        /** What [measure] finds in one run, or in two where one leaves a measure open. */
        fun untilClear(measure: (runs: Int) -> List<Compared>): List<Compared> =
            measure(1).let { once -> if (once.any { it.isOpen }) measure(2) else once }

        /** From the values of each client by round; a round in which one of them has none is left out. */
        fun of(measure: Measure, base: Map<Int, Double>, candidate: Map<Int, Double>, margin: Double): Compared {
            val pairs = (base.keys intersect candidate.keys).sorted().map {
                base.getValue(it) * measure.times to
                    candidate.getValue(it) * measure.times
            }
            return Compared(
                measure,
                Bootstrap.median(pairs.map { it.first }),
                Bootstrap.median(pairs.map { it.second }),
                Bootstrap.median(pairs.map { (was, now) -> if (was == now) 1.0 else now / was }),
                Bootstrap.median(pairs.map { (was, now) -> now - was }),
                margin,
            )
        }
    }
}

/**
 * What both clients do in a situation, where that differs. A client that does not do the same in each of its forks has all that it did.
 *
 * @property base what the base did, in words; [candidate] what the candidate did.
 */
internal class OtherConduct(val situation: String, val base: String, val candidate: String, val outcome: CompareOutcome) {
    companion object {
        /** The situations in which what was seen differs; each client's forks by situation, as `fact` and `concern`. */
        fun of(base: Map<String, List<Pair<String, String>>>, candidate: Map<String, List<Pair<String, String>>>): List<OtherConduct> =
            (base.keys intersect candidate.keys).mapNotNull { situation ->
                val (was, now) = base.getValue(situation) to candidate.getValue(situation)
                val (before, after) = was.map { it.first }.toSortedSet() to now.map { it.first }.toSortedSet()
                if (before == after) return@mapNotNull null
                OtherConduct(situation, before.joinToString(" / "), after.joinToString(" / "), outcome(was, now))
            }

        private fun outcome(was: List<Pair<String, String>>, now: List<Pair<String, String>>): CompareOutcome {
            val isEven = listOf(was, now).all { seen -> seen.distinct().size == 1 }
            val (before, after) = listOf(was, now).map { seen -> seen.any { it.second.isNotEmpty() } }
            return when {
                !isEven || before == after -> CompareOutcome.Undecided
                after -> CompareOutcome.Worse
                else -> CompareOutcome.Better
            }
        }
    }
}
