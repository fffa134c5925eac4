package clientlab.trial

import clientlab.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * How a load was warmed up at its own rate.
 *
 * @property series its intervals; empty where the load is measured cold.
 * @property steady whether the warm-up ended because its series was steady; null where it had a fixed length.
 * @property failure the first failure where nothing was answered at all, or null.
 */
internal class LoadWarmUp(val series: Series = Series(), val steady: Boolean? = null, val failure: String? = null) {
    /** How long it took, and whether its series is steady where that was asked for. */
    fun numbers(): Numbers = buildMap {
        if (series.size > 0) tell(CommonMetrics.warmUpMs, series.seconds.sum() * 1e3)
        tell(CommonMetrics.steady, steady?.let { if (it) 1 else 0 })
    }

    /** What a reader should know where it did not get steady within [budget]. */
    fun warnings(budget: Duration): List<String> = listOfNotNull(
        "The fork was not steady after a warm-up of $budget, so this trial says nothing of steady cost.".takeIf { steady == false },
    )
}

/** How long a load may warm up until its series is steady. */
internal object SteadyBudget {
    val usual: Duration = 120.seconds
    val smoke: Duration = 5.seconds
    private val most = 600.seconds

    fun check(budget: Duration) = refuseUnless(budget in 1.seconds..most) {
        "A warm-up of $budget until the series is steady is impossible: it may take 1 s to $most."
    }

    /** Half of [budget], because most clients are steady before it is spent. */
    fun expected(budget: Duration): Duration = budget / 2
}
