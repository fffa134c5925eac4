package clientlab.articles.warmup

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.openloop.*
import org.apache.commons.statistics.descriptive.Median
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * The warm-up of one fresh fork under its own load, from its series: what its first seconds are beside its last thirty.
 *
 * Change points say too little here: on a shared machine the cost of a request moves by a tenth within minutes, so that most forks are
 * never steady by them, although they cost less and less. A cost that is a quarter above the later one is more than that.
 */
internal class WarmUp(trial: AnyTrial) {
    private val ends = trial.seriesOf("second").map { it ?: 0.0 }
    private val lengths = ends.zip(listOf(0.0) + ends) { end, start -> end - start }
    private val answers = trial.seriesOf("answers")
    private val p99 = trial.seriesOf("p99Ms")
    private val client = trial.seriesOf("clientProcessors")
    private val compilers = trial.seriesOf("compilersProcessors")

    /** Where the last thirty seconds begin; null where the load is too short to have them and a first ten. */
    private val laterFrom = ends.lastOrNull()?.minus(LATER_SECONDS)?.takeIf { it >= WINDOW_SECONDS - HALF_TICK }
    private val first = within(0.0, WINDOW_SECONDS).takeIf { laterFrom != null }.orEmpty()
    private val later = laterFrom?.let { within(it, Double.MAX_VALUE) }.orEmpty()

    /** Processor time per request of the client's threads, in ms: in the first ten seconds, and in the last thirty. */
    val firstCostMs: Double? = perRequest(first, client)
    val laterCostMs: Double? = perRequest(later, client)
    val costRatio: Double? = firstCostMs?.let { early -> laterCostMs?.let { early / it } }

    /** Processor time of the compilers for each request of the first ten seconds, in ms, and its share of the client's. */
    val compilersCostMs: Double? = perRequest(first, compilers)
    val burn: Double? = compilersCostMs?.let { by -> firstCostMs?.let { by / it } }

    /**
     * Seconds from the first request until the end of the last ten seconds in which a request cost at least a quarter more than later. The
     * last thirty seconds are what it is compared with, so it is at most their beginning.
     */
    val settledSeconds: Double? = laterCostMs?.let { settled(it) }

    /** The higher 99th percentile of the first two half seconds that have answers, in ms. */
    val firstP99Ms: Double? = if (laterFrom == null) null else p99.filterNotNull().take(FIRST).maxOrNull()

    /** The highest 99th percentile of any half second, in ms. Where calls pile up, it comes seconds after the first answers. */
    val worstP99Ms: Double? = if (laterFrom == null) null else p99.filterNotNull().maxOrNull()

    /** The median over the half seconds of the last thirty seconds of their 99th percentile, in ms. */
    val laterP99Ms: Double? = later
        .mapNotNull {
            p99[it]
        }.takeIf { it.isNotEmpty() }
        ?.let { Median.withDefaults().evaluate(it.toDoubleArray()) }

    val firstByLater: Double? = firstP99Ms?.let { first -> laterP99Ms?.let { first / it } }

    private fun settled(later: Double): Double? {
        val windows = (0 until ((laterFrom ?: 0.0) + HALF_TICK).div(WINDOW_SECONDS).toInt()).map { it * WINDOW_SECONDS }
        val costs = windows.map { perRequest(within(it, it + WINDOW_SECONDS), client) ?: return null }
        return (costs.indexOfLast { it > later * SETTLED } + 1) * WINDOW_SECONDS
    }

    /** The intervals that end after [from] and not after [to]. */
    private fun within(from: Double, to: Double) = ends.indices.filter { ends[it] > from + HALF_TICK && ends[it] <= to + HALF_TICK }

    /** Processor milliseconds of a kind of thread for each answer; null where the system does not tell. */
    private fun perRequest(of: List<Int>, processors: List<Double?>): Double? {
        val answered = of.sumOf { answers[it] ?: 0.0 }
        if (answered == 0.0 || of.any { processors.getOrNull(it) == null }) return null
        return of.sumOf { processors[it]!! * lengths[it] } * MS_PER_SECOND / answered
    }

    private companion object {
        private const val FIRST = 2
        private const val WINDOW_SECONDS = 10.0
        private const val LATER_SECONDS = 30.0
        private const val SETTLED = 1.25
        private const val MS_PER_SECOND = 1e3

        /** An interval ends some milliseconds late. */
        private const val HALF_TICK = 0.25
    }
}

/** The warm-ups of the forks that count, in their order. */
internal fun TreatmentTrials.warmUps(): List<WarmUp> = counted.map(::WarmUp)

/** The treatments of forks that are measured from their first request on. */
internal fun Trials<*>.fresh(): List<TreatmentTrials> = byTreatment().filter { it.start == Start.Cold.label }

/** The fresh treatments that have [of] of any fork, the smallest first. */
internal fun List<TreatmentTrials>.sortedByMiddle(of: (WarmUp) -> Double?): List<TreatmentTrials> =
    filter { it.middle(of).n > 0 }.sortedBy { it.middle(of).value }

/**
 * The warm-up of each client, one row per client, the quickest first: medians with 95 % intervals over forks. Costs are processor time per
 * request, of the first ten seconds and of the last thirty.
 */
public fun Trials<OpenLoop>.warmUps(): AnyFrame {
    requireColdSeries()
    return fresh()
        .sortedByMiddle { it.settledSeconds }
        .toDataFrame {
            "client" from { it.client }
            "settledAfterSeconds" from { it.middle { up -> up.settledSeconds }.shown() }
            "firstCostMs" from { it.middle { up -> up.firstCostMs }.shown() }
            "laterCostMs" from { it.middle { up -> up.laterCostMs }.shown() }
            "firstByLater" from { it.middle { up -> up.costRatio }.shown() }
            "compilersCostMs" from { it.middle { up -> up.compilersCostMs }.shown() }
            "worstP99Ms" from { it.middle { up -> up.worstP99Ms }.shown() }
            "laterP99Ms" from { it.middle { up -> up.laterP99Ms }.shown() }
            "n" from { it.counted.size }
        }.from(this)
}

/** The answer of the article in three sentences, computed: how long, at what cost, and how long callers wait at worst. */
public fun Trials<OpenLoop>.warmUpAnswer(): String {
    requireColdSeries()
    val groups = fresh().sortedByMiddle { it.settledSeconds }
    if (groups.isEmpty()) return "No fork here ran for long enough to say what it costs later."
    val (quick, slow) = groups.first() to groups.last()
    val dear = groups.maxBy { group -> group.middle { it.costRatio }.value }
    val worst = groups.maxBy { group -> group.middle { it.worstP99Ms }.value }
    val settled = listOf(quick, slow).joinToString(" to ") { group -> "${group.middle { it.settledSeconds }} s (${group.client})" }
    return "A new instance costs at least a quarter more for $settled. In its first ten seconds a request costs up to " +
        "${dear.middle { it.costRatio }} times as much as later (${dear.client}), without the compilers. In the worst half second " +
        "one request in a hundred takes more than ${worst.middle { it.worstP99Ms }} ms (${worst.client})."
}

internal fun TreatmentTrials.middle(of: (WarmUp) -> Double?): Estimate = Bootstrap.median(warmUps().mapNotNull(of))

/** Fails if no fork here is measured from its first request on, over time. */
internal fun Trials<*>.requireColdSeries() {
    refuseUnless(fresh().any { group -> group.counted.any { it.seriesOf("second").isNotEmpty() } }) {
        "No fork here is measured over time from its first request on: run OpenLoop(..., start = listOf(Start.Cold))."
    }
}
