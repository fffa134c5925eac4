package clientlab.probe

/**
 * A curve of at most [MOST] points that keeps its peaks: when it is full, each pair of neighbours is replaced by the higher one.
 *
 * One thread writes it. Another thread may read it after the writer has stopped.
 */
internal class Curve {
    private val points = ArrayList<List<Double>>(MOST)
    private var stride = 1
    private var pending: List<Double>? = null
    private var inPending = 0

    /** The highest value added so far. */
    @Volatile var peak: Int = 0
        private set

    @Synchronized
    fun add(atMs: Double, value: Int) {
        peak = maxOf(peak, value)
        val point = listOf(atMs, value.toDouble())
        pending = higher(pending, point)
        if (++inPending < stride) return
        points += pending!!
        pending = null
        inPending = 0
        if (points.size == MOST) halve()
    }

    @Synchronized
    fun points(): List<List<Double>> = points + listOfNotNull(pending)

    private fun halve() {
        val half = points.chunked(2) { pair -> pair.reduce(::higher) }
        points.clear()
        points += half
        stride *= 2
    }

    private fun higher(a: List<Double>?, b: List<Double>): List<Double> = if (a != null && a[1] >= b[1]) a else b

    private companion object {
        private const val MOST = 198
    }
}
