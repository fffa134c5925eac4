package clientlab

import kotlin.math.ceil

/** Percentile by nearest rank: the smallest value that at least this share of all values does not exceed. */
internal fun nearestRank(ascending: DoubleArray, share: Double): Double =
    ascending[(ceil(share * ascending.size).toInt() - 1).coerceIn(ascending.indices)]
