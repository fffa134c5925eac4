package clientlab.trial

import clientlab.*

/** What a trial measured: a number for each metric that could be taken. */
internal typealias Numbers = Map<Metric, Double>

/** Adds [value] as [metric], or nothing where it is null: a number that could not be taken is missing. */
internal fun MutableMap<Metric, Double>.tell(metric: Metric, value: Number?) {
    if (value != null) put(metric, value.toDouble())
}

/** Adds median, 99th percentile and maximum of the latencies [ascendingMs], or nothing where there are none. */
internal fun MutableMap<Metric, Double>.tellLatencies(ascendingMs: DoubleArray) {
    if (ascendingMs.isEmpty()) return
    put(CommonMetrics.latencyP50Ms, nearestRank(ascendingMs, 0.50))
    put(CommonMetrics.latencyP99Ms, nearestRank(ascendingMs, 0.99))
    put(CommonMetrics.latencyMaxMs, ascendingMs.last())
}
