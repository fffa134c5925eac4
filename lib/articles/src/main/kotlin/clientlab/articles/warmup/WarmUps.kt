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
 * The warm-up of one fresh fork under its own load, from its series.
 *
 * A fork that never gets steady is young to the end of its series. So its time, and what it burns, are the least that they can be.
 */
internal class WarmUp(trial: AnyTrial) {
    private val ends = trial.seriesOf("second").map { it ?: 0.0 }
    private val lengths = ends.zip(listOf(0.0) + ends) { end, start -> end - start }
    private val answers = trial.seriesOf("answers")
    private val p99 = trial.seriesOf("p99Ms")
    private val client = trial.seriesOf("clientProcessors")
    private val compilers = trial.seriesOf("compilersProcessors")
    private val getsSteady = trial.getsSteady

    /** Seconds from the first request until the series is steady, or its length; null if it is too short to tell. */
    val seconds: Double? = trial.secondsUntilSteady()

    private val young = ends.indices.filter { seconds == null || !getsSteady || ends[it] <= seconds + HALF_TICK }
    private val steady = ends.indices.toList() - young.toSet()

    /** Processor seconds until it is steady, of the client's threads and of the compilers. */
    val clientSeconds: Double? = seconds?.let { young.cpu(client) }
    val compilersSeconds: Double? = seconds?.let { young.cpu(compilers) }

    /** What the compilers take until it is steady, divided by what the client takes; null where nothing was young. */
    val burn: Double? = compilersSeconds?.let { by -> clientSeconds?.takeIf { it > 0 }?.let { by / it } }

    /** The higher 99th percentile of the first two half seconds that have answers, in ms. */
    val firstP99Ms: Double? = p99.filterNotNull().take(FIRST).maxOrNull()

    /** The median over half seconds of their 99th percentile once steady, in ms. */
    val steadyP99Ms: Double? = steady
        .mapNotNull {
            p99[it]
        }.takeIf { it.isNotEmpty() }
        ?.let { Median.withDefaults().evaluate(it.toDoubleArray()) }

    val firstByShare: Double? = firstP99Ms?.let { first -> steadyP99Ms?.let { first / it } }

    /** Processor time per request of the client in the first ten seconds, divided by that once steady. */
    val costRatio: Double? = perRequest(ends.indices.filter { ends[it] <= YOUNG_SECONDS + HALF_TICK })
        ?.let { early -> perRequest(steady)?.let { early / it } }

    private fun perRequest(of: List<Int>): Double? {
        val answered = of.sumOf { answers[it] ?: 0.0 }
        return if (answered == 0.0) null else of.cpu(client)?.let { it / answered }
    }

    /** Processor seconds of one kind of thread; null where the system does not tell. */
    private fun List<Int>.cpu(processors: List<Double?>): Double? =
        if (any { processors.getOrNull(it) == null }) null else sumOf { processors[it]!! * lengths[it] }

    private companion object {
        private const val FIRST = 2
        private const val YOUNG_SECONDS = 10.0

        /** An interval ends some milliseconds late. */
        private const val HALF_TICK = 0.25
    }
}

/** The warm-ups of the forks that count, in their order. */
internal fun TreatmentTrials.warmUps(): List<WarmUp> = counted.map(::WarmUp)

/** The treatments of forks that are measured from their first request on. */
internal fun Trials<*>.fresh(): List<TreatmentTrials> = byTreatment().filter { it.start == Start.Cold.label }

/**
 * The warm-up of each client, one row per client, the quickest first: medians with 95 % intervals over forks. `steadyForks` of `n` are
 * steady before the load ends; the others count with the whole load, so `at least` stands before a time.
 */
public fun Trials<OpenLoop>.warmUps(): AnyFrame {
    requireColdSeries()
    return fresh()
        .filter { it.counted.isNotEmpty() }
        .sortedBy { it.middle { up -> up.seconds }.value }
        .toDataFrame {
            "client" from { it.client }
            "steadyAfterSeconds" from { it.atLeast() + it.middle { up -> up.seconds }.shown() }
            "clientCpuSeconds" from { it.middle { up -> up.clientSeconds }.shown() }
            "compilersCpuSeconds" from { it.middle { up -> up.compilersSeconds }.shown() }
            "firstSecondP99Ms" from { it.middle { up -> up.firstP99Ms }.shown() }
            "steadyP99Ms" from { it.middle { up -> up.steadyP99Ms }.shown() }
            "youngCostBySteady" from { it.middle { up -> up.costRatio }.shown() }
            "steadyForks" from { it.steadyForks() }
            "n" from { it.counted.size }
        }.from(this)
}

/** The answer of the article in one sentence, computed: how long, how much processor time, and what the first callers wait. */
public fun Trials<OpenLoop>.warmUpAnswer(): String {
    requireColdSeries()
    val groups = fresh().filter { group -> group.middle { it.seconds }.n > 0 }.sortedBy { group -> group.middle { it.seconds }.value }
    if (groups.isEmpty()) return "No fork here ran for long enough to say when it is steady."
    val (quick, slow) = groups.first() to groups.last()
    val burnt = groups.maxBy { group -> group.middle { it.burnt() }.value }
    val first = groups.maxBy { group -> group.middle { it.firstP99Ms }.value }
    return "A fresh fork of ${quick.client} is steady after ${quick.atLeast()}${quick.middle {
        it.seconds
    }} s and one of ${slow.client} after " +
        "${slow.atLeast()}${slow.middle { it.seconds }} s; until then client and compilers take up to " +
        "${burnt.middle { it.burnt() }} s of a processor (${burnt.client}), and in the first second one request in a hundred takes up to " +
        "${first.middle { it.firstP99Ms }} ms (${first.client})."
}

internal fun WarmUp.burnt(): Double? = clientSeconds?.let { own -> compilersSeconds?.let { own + it } }

internal fun TreatmentTrials.middle(of: (WarmUp) -> Double?): Estimate = Bootstrap.median(warmUps().mapNotNull(of))

internal fun TreatmentTrials.steadyForks(): Int = counted.count { it.getsSteady }

internal fun TreatmentTrials.atLeast(): String = if (counted.any { it.secondsUntilSteady() != null && !it.getsSteady }) "at least " else ""

/** Fails if no fork here is measured from its first request on, over time. */
internal fun Trials<*>.requireColdSeries() {
    refuseUnless(fresh().any { group -> group.counted.any { it.seriesOf("second").isNotEmpty() } }) {
        "No fork here is measured over time from its first request on: run OpenLoop(..., start = listOf(Start.Cold))."
    }
}
