package clientlab.articles.threads

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.claim.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

internal const val FEW = 100
internal const val MANY = 500

internal val BLOCKING = listOf("retrofit", "ktor-okhttp", "fuel")

internal val ASYNC = listOf("ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio")

internal fun part(group: TreatmentTrials, metric: String, bound: Bound, values: List<Double>, share: Boolean = false): Part {
    val of = "${group.client} at ${group.inFlight}"
    return if (share) Part(of, metric, bound, shareOf(values)) else Part.median(of, metric, bound, values)
}

internal fun timeFloor(): NoiseFloor? = NoiseFloors.ratio(Burst::class, "durationMs")

/** A share with its exact interval, because a bootstrap of ten zeros has an interval of no width. */
internal fun shareOf(values: List<Double>): Estimate = Share.of(values.count { it > 0 }, values.size)

/** For each of [clients] at each of [levels], measured or not. A claim about a level that was not measured is inconclusive. */
internal fun <T> each(trials: Trials<*>, clients: List<String>, levels: List<Int>, make: (TreatmentTrials) -> T): List<T> {
    val warm = trials.byTreatment().filter { it.start == "warm" }
    return clients.flatMap { client ->
        levels.map { level ->
            make(
                warm.firstOrNull { it.client == client && it.inFlight == level }
                    ?: TreatmentTrials(Treatment(Factor.CLIENT to client, Factor.IN_FLIGHT to level), emptyList()),
            )
        }
    }
}

/** One value per round, from [metric] with many and with few requests in that round. */
internal fun paired(trials: Trials<*>, client: String, metric: String, combine: (Double, Double) -> Double): List<Double> {
    val groups = each(trials, listOf(client), listOf(FEW, MANY)) { it }
    val few = groups
        .firstOrNull { it.inFlight == FEW }
        ?.counted
        .orEmpty()
        .associateBy { it.round }
    val many = groups.firstOrNull { it.inFlight == MANY }?.counted.orEmpty()
    return many.mapNotNull { row ->
        val other = few[row.round]?.metric(metric) ?: return@mapNotNull null
        row.metric(metric)?.let { combine(it, other) }
    }
}

internal fun TreatmentTrials.timesInDelays(): List<Double> =
    counted.mapNotNull { row ->
        val duration = row.metric("durationMs")
        val delay = row.metric("delayMs")
        if (duration == null || delay == null || delay == 0.0) null else duration / delay
    }
