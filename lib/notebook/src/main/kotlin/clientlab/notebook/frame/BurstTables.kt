package clientlab.notebook.frame

import clientlab.*
import clientlab.burst.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn

public const val TIMELINE: String = "timeline"

/**
 * The new platform threads of [client] at [inFlight], by owner and by activity when all requests were in flight: the median over forks with
 * its interval.
 */
public fun Trials<Burst>.threadsOf(client: String, inFlight: Int): AnyFrame {
    val groups = byTreatment().filter { it.client == client && it.inFlight == inFlight }
    refuseUnless(groups.size < 2) { "There are warm and cold trials of $client: filter them by start." }
    val trials = groups.flatMap { it.counted }
    val counts = trials.map { trial ->
        (trial["threads"] as AnyFrame).rows().associate { ("${it["owner"]}" to "${it["doing"]}") to it["count"] as Int }
    }
    val kinds = counts.flatMap { it.keys }.distinct()
    val estimates = kinds.associateWith { kind -> Bootstrap.median(counts.map { (it[kind] ?: 0).toDouble() }) }
    val order = kinds.sortedByDescending { estimates.getValue(it).value }
    return dataFrameOf(
        order.map { it.first }.toColumn("owner"),
        order.map { it.second }.toColumn("doing"),
        order.map { estimates.getValue(it).toString() }.toColumn("threads"),
        order.map { estimates.getValue(it).n }.toColumn("n"),
    ).from(this)
}

/**
 * The requests of one trial of [client] in the order of sending, one row per request. The trial is the complete one (or wave) with the
 * median time.
 *
 * Times are in milliseconds since the burst began. A phase that the client did not report is null. Fails if no trial has kept the times.
 */
public fun Trials<Burst>.timeline(client: String): AnyFrame {
    val kept = if (TIMELINE in columnNames()) byTreatment().filter { it.client == client }.flatMap { it.counted } else emptyList()
    val trials = kept.filter { (it[TIMELINE] as AnyFrame).rowsCount() > 0 }.sortedBy { it.metric("durationMs") }
    val middle = trials.getOrNull(trials.size / 2)
        ?: throw LabException("No trial here has the times of single requests of $client: run a Burst with timeline = true.")
    return (middle[TIMELINE] as AnyFrame).from(Origin("one trial of ${origin()}", runs()))
}

/** The times of [trial] as a nested table; empty if it kept none. */
internal fun timelineTable(trial: Trial): AnyFrame {
    val times = trial.timeline ?: Timeline()
    return dataFrameOf(
        times.number.toColumn("number"),
        times.askedMs.toColumn("askedMs"),
        times.leftQueueMs.toColumn("leftQueueMs"),
        times.connectedMs.toColumn("connectedMs"),
        times.arrivedMs.toColumn("arrivedMs"),
        times.answeredMs.toColumn("answeredMs"),
        times.readMs.toColumn("readMs"),
        times.connection.toColumn("connection"),
    )
}

/** How many requests came in which version of HTTP, as the server saw them: `http/1.1: 100`. */
internal fun protocolsSeen(trial: Trial): String =
    trial.evidence
        ?.requestsByProtocol
        .orEmpty()
        .filterValues { it > 0 }
        .entries
        .joinToString { (version, count) -> "$version: $count" }

/**
 * The latency of single requests in ms: one row per treatment and one column for each of [percentiles], computed per fork, with the median
 * over forks and its 95 % interval. Fails if no trial has kept the times of its requests.
 */
public fun Trials<*>.latencyPercentiles(vararg percentiles: Double = doubleArrayOf(50.0, 90.0, 99.0)): AnyFrame {
    val groups = byTreatment().map { it to it.latencies() }.filter { (_, forks) -> forks.any { it.isNotEmpty() } }
    if (groups.isEmpty()) throw LabException("No trial here has the times of single requests: run a Burst with timeline = true.")
    val treatments = groups.map { (group, _) -> group.treatment.toString() }.toColumn("treatment")
    val columns = percentiles.map { share ->
        val name = "p${share.toBigDecimal().stripTrailingZeros().toPlainString()}Ms"
        groups.map { (_, forks) -> Percentiles.overForks(forks, share).toString() }.toColumn(name)
    }
    return dataFrameOf(listOf(treatments, groups.map { (_, forks) -> forks.size }.toColumn("n")) + columns).from(this)
}

/** The latencies of the requests that were read to their end, for each fork that counts. */
private fun TreatmentTrials.latencies(): List<List<Double>> =
    counted.map { trial ->
        if (TIMELINE !in trial.df().columnNames()) return@map emptyList()
        (trial[TIMELINE] as AnyFrame).rows().mapNotNull { request ->
            val asked = request["askedMs"] as Double?
            val read = request["readMs"] as Double?
            if (asked == null || read == null) null else read - asked
        }
    }
