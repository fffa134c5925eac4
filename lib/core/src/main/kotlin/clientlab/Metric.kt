package clientlab

import kotlin.math.ceil

/** A number that a trial may have: a column whose [name] ends with its unit. [unit] is empty for a count; [meaning] is half a sentence. */
public data class Metric(val name: String, val unit: String, val meaning: String)

/** Percentile by nearest rank: the smallest value that at least this share of all values does not exceed. */
internal fun nearestRank(ascending: DoubleArray, share: Double): Double =
    ascending[(ceil(share * ascending.size).toInt() - 1).coerceIn(ascending.indices)]
