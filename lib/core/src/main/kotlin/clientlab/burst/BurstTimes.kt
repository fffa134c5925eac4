package clientlab.burst

import clientlab.Timeline
import clientlab.client.RequestEvent
import clientlab.nearestRank
import clientlab.probe.EventLog
import clientlab.probe.SeenRequest
import clientlab.probe.ServerClock
import clientlab.trial.BurstResult

/**
 * What a burst's single requests came to in time: client, its events and the server, put together on one clock.
 *
 * @param seen what the server noted.
 * @param clock how far the server's clock is ahead; nothing is taken off where it is ours.
 */
internal class BurstTimes(
    private val result: BurstResult,
    private val events: EventLog,
    seen: List<SeenRequest>,
    clock: ServerClock,
) {
    private val ahead = if (clock.isOurs) 0 else clock.aheadNanos
    private val byNumber: Map<Int, SeenRequest> = seen.associateBy { it.number }

    /** Nothing arrives before it is asked, or after its answer has been read: the checks on the clock. */
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

    /** Medians and extremes of the steps; a step that nobody told has none. */
    fun metrics(delayMs: Long): Map<String, Double> =
        buildMap {
            steps("queued", between(timeline.askedMs, timeline.leftQueueMs))
            steps("connect", between(timeline.leftQueueMs, timeline.connectedMs))
            steps("arrival", between(timeline.askedMs, timeline.arrivedMs))
            steps("served", between(timeline.arrivedMs, timeline.answeredMs))
            steps("reading", between(timeline.answeredMs, timeline.readMs))
            val arrivals = timeline.arrivedMs.filterNotNull().sorted()
            if (arrivals.isNotEmpty() && delayMs > 0) put("batches", 1.0 + arrivals.zipWithNext().count { (a, b) -> b - a > delayMs / 2.0 })
        }

    private fun MutableMap<String, Double>.steps(name: String, values: List<Double>) {
        if (values.isEmpty()) return
        val ascending = values.sorted().toDoubleArray()
        put("${name}P50Ms", nearestRank(ascending, 0.50))
        put("${name}MaxMs", ascending.last())
    }

    private fun between(from: List<Double?>, to: List<Double?>): List<Double> =
        from.zip(to).mapNotNull { (a, b) -> if (a == null || b == null) null else b - a }

    /** The server notes an answer when it has been written; the client may have read it by then. */
    private fun answered(number: Int): Long? {
        val answered = byNumber[number]?.answeredNanos?.let { it - ahead } ?: return null
        return read(number)?.let { minOf(it, answered) } ?: answered
    }

    private fun read(number: Int): Long? = result.readNanos[number].takeIf { it != 0L }

    /** To a microsecond, for the rest would only fill the journal. */
    private fun ms(nanos: Long?): Double? = nanos?.let { Math.floorDiv(it - result.beganNanos, NANOS_A_MICRO) / 1e3 }

    private companion object {
        private const val NANOS_A_MICRO = 1_000L
    }
}
