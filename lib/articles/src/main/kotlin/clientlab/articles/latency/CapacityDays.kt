package clientlab.articles.latency

import clientlab.*
import clientlab.capacity.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * The capacities that these trials found beside those of [later], the same search on another day. `laterByFirst` is the ratio of both with
 * its interval. `overlap` says whether the intervals of the two days have a value in common, if each day has enough forks: those that never
 * were steady do not count.
 */
public fun Trials<Capacity>.besides(later: Trials<Capacity>): AnyFrame =
    days(later)
        .toDataFrame {
            "client" from { it.first.name }
            "first" from { it.first.words }
            "later" from { it.later.words }
            "unit" from { it.first.unit }
            "laterByFirst" from { "${it.ratio}" }
            "overlap" from { OVERLAP.getValue(it.overlap) }
            "n" from { it.ratio.n }
        }.from(this, later)

/** In words what [besides] finds, and how much longer the reference spin took on the day of [later]. */
public fun Trials<Capacity>.besidesAnswer(later: Trials<Capacity>): String {
    val days = days(later).ifEmpty { return "No client was searched on both days." }
    val ratios = days.map { it.ratio.value }
    val range = listOf(ratios.min(), ratios.max()).map(Estimate::rounded).distinct().joinToString(" to ")
    val overlaps = days.mapNotNull { it.overlap }
    val carried =
        "On the later day the clients carried $range times as much as on the earlier one. The intervals of both days overlap for " +
            "${overlaps.count { it }} of the ${overlaps.size} clients that had ${Part.FEWEST_FORKS} steady forks or more on each."
    val spin = (later.spinMs() ?: return carried) / (spinMs() ?: return carried)
    return "$carried The reference spin, the same work on both days, took ${Estimate.rounded(spin)} times as long."
}

private class TwoDays(val first: FoundCapacity, val later: FoundCapacity) {
    val ratio: Estimate = Bootstrap.ratio(later.values, first.values)

    /** Whether the intervals have a value in common; null if a day has too few forks for one. */
    val overlap: Boolean? = (first.estimate.low <= later.estimate.high && later.estimate.low <= first.estimate.high)
        .takeIf { ratio.n >= Part.FEWEST_FORKS }
}

private val OVERLAP = mapOf(true to "yes", false to "no", null to "too few forks")

private fun Trials<Capacity>.days(later: Trials<Capacity>): List<TwoDays> {
    val others = later.found().associateBy { it.name }
    return found().mapNotNull { first -> others[first.name]?.let { TwoDays(first, it) } }
}
