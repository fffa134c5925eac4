package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*

/**
 * The times of a burst's single requests from the client, its events and the server, on one clock.
 *
 * @param seen what the server noted.
 * @param clock how far the server's clock is ahead; nothing is subtracted if it is our own clock.
 */
internal class BurstTimes(
    private val result: BurstResult,
    private val events: EventLog,
    seen: List<SeenRequest>,
    clock: ServerClock,
) {
    private val ahead = if (clock.isOurs) 0 else clock.aheadNanos
    private val byNumber: Map<Int, SeenRequest> = seen.associateBy { it.number }

    /** Checks of the clock: no request arrives before it is sent, or after its answer was read. */
    val warnings: List<String> = run {
        val arrived = byNumber.filterKeys { it in 0 until result.requests }.mapValues { (_, seen) -> seen.arrivedNanos - ahead }
        val early = arrived.count { (number, at) -> at + clock.errorNanos < result.askedNanos[number] }
        val late = arrived.count { (number, at) -> read(number)?.let { at - clock.errorNanos > it } ?: false }
        listOfNotNull(
            "$early requests arrived before they were asked: the clocks differ.".takeIf { early > 0 },
            "$late requests arrived after their answers had been read: the clocks differ.".takeIf { late > 0 },
        )
    }

    val timeline: Timeline = run {
        val rows = (0 until result.requests).filter { result.askedNanos[it] != 0L }
        Timeline(
            number = rows,
            askedMs = rows.map { ms(result.askedNanos[it])!! },
            leftQueueMs = rows.map { ms(events.at(it, RequestEvent.LeftQueue)) },
            connectedMs = rows.map { ms(events.at(it, RequestEvent.ConnectionReady)) },
            arrivedMs = rows.map { ms(byNumber[it]?.let { seen -> seen.arrivedNanos - ahead }) },
            answeredMs = rows.map { ms(answered(it)) },
            readMs = rows.map { ms(read(it)) },
            connection = rows.map { byNumber[it]?.connection },
        )
    }

    /** Median and maximum of each step; a step that nothing reported has none. */
    fun metrics(delayMs: Long): Map<Metric, Double> =
        buildMap {
            steps(BurstMetrics.queuedP50Ms, BurstMetrics.queuedMaxMs, between(timeline.askedMs, timeline.leftQueueMs))
            steps(BurstMetrics.connectP50Ms, BurstMetrics.connectMaxMs, between(timeline.leftQueueMs, timeline.connectedMs))
            steps(BurstMetrics.arrivalP50Ms, BurstMetrics.arrivalMaxMs, between(timeline.askedMs, timeline.arrivedMs))
            steps(BurstMetrics.servedP50Ms, BurstMetrics.servedMaxMs, between(timeline.arrivedMs, timeline.answeredMs))
            steps(BurstMetrics.readingP50Ms, BurstMetrics.readingMaxMs, between(timeline.answeredMs, timeline.readMs))
            val arrivals = timeline.arrivedMs.filterNotNull().sorted()
            if (arrivals.isNotEmpty() &&
                delayMs > 0
            ) {
                put(BurstMetrics.batches, 1.0 + arrivals.zipWithNext().count { (a, b) -> b - a > delayMs / 2.0 })
            }
        }

    private fun MutableMap<Metric, Double>.steps(median: Metric, most: Metric, values: List<Double>) {
        if (values.isEmpty()) return
        val ascending = values.sorted().toDoubleArray()
        put(median, nearestRank(ascending, 0.50))
        put(most, ascending.last())
    }

    private fun between(from: List<Double?>, to: List<Double?>): List<Double> =
        from.zip(to).mapNotNull { (a, b) -> if (a == null || b == null) null else b - a }

    /** The server records an answer after it is written, and the client may already have read it then. */
    private fun answered(number: Int): Long? {
        val answered = byNumber[number]?.answeredNanos?.let { it - ahead } ?: return null
        return read(number)?.let { minOf(it, answered) } ?: answered
    }

    private fun read(number: Int): Long? = result.readNanos[number].takeIf { it != 0L }

    /** To a microsecond: more digits would only fill the journal. */
    private fun ms(nanos: Long?): Double? = nanos?.let { Math.floorDiv(it - result.beganNanos, NANOS_A_MICRO) / 1e3 }

    private companion object {
        private const val NANOS_A_MICRO = 1_000L
    }
}
