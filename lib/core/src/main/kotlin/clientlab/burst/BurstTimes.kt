package clientlab.burst

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*

/** The times of a burst's single requests from the client, its events and the server ([seen] by its [clock]), on one clock. */
internal class BurstTimes(private val result: BurstResult, private val events: EventLog, seen: List<SeenRequest>, clock: ServerClock) {
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
    fun metrics(delayMs: Long): Numbers =
        buildMap {
            step(BurstMetrics.queuedP50Ms, BurstMetrics.queuedMaxMs, timeline.askedMs, timeline.leftQueueMs)
            step(BurstMetrics.connectP50Ms, BurstMetrics.connectMaxMs, timeline.leftQueueMs, timeline.connectedMs)
            step(BurstMetrics.arrivalP50Ms, BurstMetrics.arrivalMaxMs, timeline.askedMs, timeline.arrivedMs)
            step(BurstMetrics.servedP50Ms, BurstMetrics.servedMaxMs, timeline.arrivedMs, timeline.answeredMs)
            step(BurstMetrics.readingP50Ms, BurstMetrics.readingMaxMs, timeline.answeredMs, timeline.readMs)
            val arrivals = timeline.arrivedMs.filterNotNull().sorted()
            if (arrivals.isEmpty() || delayMs == 0L) return@buildMap
            tell(BurstMetrics.batches, 1 + arrivals.zipWithNext().count { (a, b) -> b - a > delayMs / 2.0 })
        }

    private fun MutableMap<Metric, Double>.step(median: Metric, most: Metric, from: List<Double?>, to: List<Double?>) {
        val took = from.zip(to).mapNotNull { (a, b) -> if (a == null || b == null) null else b - a }
        if (took.isEmpty()) return
        put(median, nearestRank(took.sorted().toDoubleArray(), 0.50))
        put(most, took.max())
    }

    /** The server records an answer after it is written, and the client may already have read it then. */
    private fun answered(number: Int): Long? {
        val answered = byNumber[number]?.answeredNanos?.let { it - ahead } ?: return null
        return read(number)?.let { minOf(it, answered) } ?: answered
    }

    private fun read(number: Int): Long? = result.readNanos[number].takeIf { it != 0L }

    /** To a microsecond: more digits would only fill the journal. */
    private fun ms(nanos: Long?): Double? = nanos?.let { Math.floorDiv(it - result.beganNanos, 1_000L) / 1e3 }
}
