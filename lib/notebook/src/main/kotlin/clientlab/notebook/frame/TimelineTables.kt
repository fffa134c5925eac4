package clientlab.notebook.frame

import clientlab.*
import clientlab.burst.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * The requests of one trial of [client] in the order of sending, one row per request. The trial is the complete one (or wave) with the
 * median time.
 *
 * Times are in milliseconds since the burst began. A phase that the client did not report is null. Fails if no trial has kept the times.
 */
public fun Trials<Burst>.timeline(client: String): AnyFrame {
    val trial = withTimes(client)
    return (trial["timeline"] as AnyFrame).from(Origin("one trial of ${origin()}", runs()))
}

/** The trial of [timeline]. */
internal fun Trials<Burst>.withTimes(client: String): DataRow<TrialRow<*>> {
    val kept = if (TIMELINE in columnNames()) byTreatment().filter { it.client == client }.flatMap { it.counted } else emptyList()
    val trials = kept.filter { (it[TIMELINE] as AnyFrame).rowsCount() > 0 }.sortedBy { it.metric("durationMs") }
    return trials.getOrNull(trials.size / 2)
        ?: throw LabException("No trial here has the times of single requests of $client: run a Burst with timeline = true.")
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

public const val TIMELINE: String = "timeline"
