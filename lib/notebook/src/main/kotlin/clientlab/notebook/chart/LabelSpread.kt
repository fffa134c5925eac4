package clientlab.notebook.chart

/**
 * Moves [places] apart until neighbours have a distance of [gap], each as little as possible, all of them within 0 to 1.
 *
 * Places that collide are pooled and spread around the mean of their original places (pool adjacent violators).
 */
internal fun spreadApart(places: List<Double>, gap: Double): List<Double> {
    if (places.isEmpty()) return places
    val step = minOf(gap, 1.0 / places.size)
    val order = places.indices.sortedWith(compareBy({ places[it] }, { it }))

    // If the n-th place is lowered by n gaps, "at least a gap apart" becomes "not decreasing".
    class Pool(var sum: Double, var count: Int) {
        val mean get() = sum / count
    }
    val pools = ArrayList<Pool>()
    order.forEachIndexed { n, index ->
        pools += Pool(places[index] - n * step, 1)
        while (pools.size > 1 && pools[pools.size - 2].mean > pools.last().mean) {
            val last = pools.removeLast()
            pools.last().apply {
                sum += last.sum
                count += last.count
            }
        }
    }
    val low = step / 2
    val high = 1.0 - step / 2 - (places.size - 1) * step
    val spread = DoubleArray(places.size)
    var n = 0
    for (pool in pools) {
        repeat(pool.count) {
            spread[order[n]] = pool.mean.coerceIn(minOf(low, high), maxOf(low, high)) + n * step
            n++
        }
    }
    return spread.toList()
}
