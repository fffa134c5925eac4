package clientlab.steady

/**
 * The places at which a series changes, by the cheapest of all segmentations: R. Killick, P. Fearnhead and I. Eckley, *Optimal detection of
 * changepoints with a linear computational cost* (PELT, 2012).
 *
 * The result is exact. A segment's start is no longer tried when it cannot win any more, so the time is near n for a series with many
 * changes and at most n²; memory is n.
 */
public object ChangePoints {
    /**
     * The index of the first value of each segment but the first, ascending. It is empty if the values are all equal or fewer than two
     * segments' worth.
     *
     * Of two equally cheap segmentations it takes the one whose last segment is longer.
     *
     * @param penalty what one more segment costs. A change must lower the cost by more than that.
     * @param shortest the number of values that a segment has at least.
     */
    public fun of(
        values: DoubleArray,
        cost: Cost = Cost.MEAN_AND_VARIANCE,
        penalty: Double = cost.penalty(values.size),
        shortest: Int = 2,
    ): List<Int> {
        require(shortest >= cost.shortest) { "A segment of this cost has ${cost.shortest} values or more, not $shortest." }
        require(penalty >= 0) { "A penalty is 0 or more, not $penalty." }
        require(values.all { it.isFinite() }) { "A series has finite values only." }
        if (values.size < 2 * shortest) return emptyList()
        val segment = cost.of(values) ?: return emptyList()
        return pelt(values.size, segment, penalty, shortest)
    }

    private fun pelt(n: Int, cost: SegmentCost, penalty: Double, shortest: Int): List<Int> {
        // The cheapest cost of the first `end` values, and where the last segment of that segmentation starts.
        val cheapest = DoubleArray(n + 1) { Double.POSITIVE_INFINITY }.also { it[0] = -penalty }
        val starts = IntArray(n + 1)
        // Candidates in ascending order, and the first end for which each is not needed any more.
        val candidates = ArrayList<Int>()
        val uselessFrom = IntArray(n + 1) { Int.MAX_VALUE }
        for (end in shortest..n) {
            candidates += end - shortest
            candidates.removeIf { uselessFrom[it] <= end || cheapest[it].isInfinite() }
            for (start in candidates) {
                val total = cheapest[start] + cost.of(start, end) + penalty
                if (total < cheapest[end]) {
                    cheapest[end] = total
                    starts[end] = start
                }
            }
            // A split at `end` would be cheaper for every later end, but only from where the segment after it is long enough.
            for (start in candidates) {
                if (cheapest[start] + cost.of(start, end) > cheapest[end]) uselessFrom[start] = minOf(uselessFrom[start], end + shortest)
            }
        }
        return generateSequence(starts[n]) { starts[it] }.takeWhile { it > 0 }.toList().asReversed()
    }
}
