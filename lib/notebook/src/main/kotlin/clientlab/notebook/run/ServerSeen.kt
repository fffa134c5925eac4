package clientlab.notebook.run

import clientlab.*
import clientlab.notebook.fork.*
import clientlab.notebook.frame.*
import clientlab.probe.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** What a running delay server has seen since its last reset: [counts], and the newest 20,000 [requests] with `a=<number>`. */
public class ServerSeen internal constructor(private val url: String, public val counts: Evidence, public val requests: SeenRequests) {
    /**
     * The requests in order of arrival, one row per request: its `number`, the server's number of its `connection`, when it arrived and was
     * answered (in ms since the first arrival), and how long it was served; null if it is not answered. The origin says what was dropped.
     */
    public fun toDataFrame(): AnyFrame {
        val seen = requests.requests
        val began = seen.firstOrNull()?.arrivedNanos ?: 0L
        return dataFrameOf(
            seen.map { it.number }.toColumn("number"),
            seen.map { it.connection }.toColumn("connection"),
            seen.map { ms(it.arrivedNanos - began) }.toColumn("arrivedMs"),
            seen.map { request -> request.answeredNanos?.let { ms(it - began) } }.toColumn("answeredMs"),
            seen.map { request -> request.answeredNanos?.let { ms(it - request.arrivedNanos) } }.toColumn("servedMs"),
            origin(began).let { text -> seen.map { text } }.toColumn(ORIGIN),
        )
    }

    /** How late answers were written: one row per bound `withinMs`, with the number of `answers` that kept it and their `share` of all. */
    public fun lateness(): AnyFrame {
        val all = counts.overshootMs?.count ?: 0
        val within = counts.overshootMs?.within.orEmpty()
        return dataFrameOf(
            within.map { it[0] }.toColumn("withinMs"),
            within.map { it[1].toLong() }.toColumn("answers"),
            within.map { it[1] / all }.toColumn("share"),
            List(within.size) { "the delay server at $url, $all answers since its reset" }.toColumn(ORIGIN),
        )
    }

    override fun toString(): String =
        "The delay server at $url: ${counts.arrived} requests, ${counts.inFlight} in flight (at most ${counts.peakInFlight}), " +
            "${counts.connectionsOpen} connections, ${requests.rows.size} requests in its table."

    private fun origin(began: Long): String {
        val times = requests.droppedArrivedNanos?.let { (from, to) -> "${ms(began - from)} to ${ms(began - to)}" }
        val dropped = times?.let { "${requests.dropped} dropped, which arrived $it ms before the first" } ?: "none dropped"
        return "the delay server at $url, ${requests.rows.size} numbered requests since its reset, $dropped"
    }

    /** Milliseconds to the microsecond. */
    private fun ms(nanos: Long): Double = Math.floorDiv(nanos, 1_000L) / 1e3
}

/**
 * What a delay server has seen since its last reset. [server] is the address of its control port, as in `http://127.0.0.1:8081`; without
 * it `CLIENT_LAB_SERVER` names the server. Reading disturbs the server for about ten milliseconds. Throws [LabException] if there is no such server.
 */
public fun serverEvidence(server: String? = null): ServerSeen {
    val url = serverAskedFor(server) ?: throw LabException(
        "Say which delay server: give the address of its control port, which `./lab serve` prints, as in http://127.0.0.1:8081.",
    )
    return RemoteServer.asking(url) { probe, _ -> ServerSeen(RemoteServer.shown(url), probe.evidence(), probe.requests()) }
}
