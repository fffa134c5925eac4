package clientlab.notebook.frame

import clientlab.*
import clientlab.workloads.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * A column that a frame of trials may have.
 *
 * @property kind `trial` for what every trial has, `factor` for a level of its treatment, or the workloads that measure it.
 * @property unit of a number; empty for a count or a text.
 */
internal data class ColumnMeaning(
    val kind: String,
    val name: String,
    val unit: String,
    val meaning: String,
)

/** What every column of a frame of trials means; `data/README.md` is made from it. */
internal object Dictionary {
    private val everyTrial =
        listOf(
            "run" to "the id of the run",
            "experiment" to "the name of the experiment",
            "round" to "the number of the round, from 0; each holds every treatment once",
            "machine" to "where the round was run: there only in a campaign of several machines",
            "outcome" to "`complete`, `wave` or `invalid`",
            "reasons" to "why the trial is not complete",
            "warnings" to "what a reader should know although the trial counts",
            "threadsLeft" to
                "threads alive after close and not before, without those of the JVM and the shared workers of kotlinx.coroutines",
            "threadsLeftNames" to "their names, each once",
            "protocolsSeen" to "how many requests came in which version of HTTP, as the server saw them",
        )

    /** The tables within a row. */
    private val nested =
        listOf(
            "threads" to "table: new platform threads at the snapshot, by `owner` and `doing`, with their `count`",
            "serverCurve" to "table: `inFlight` as the server saw it, at `atMs` since the first arrival",
            "iterationTimes" to "table: how long each `iteration` of a transfer took, in `ms`",
            "latencyByPercentile" to "table: the latency from the planned time, `ms`, within which `percent` of the requests were answered",
            "sentLatencyByPercentile" to "table: the same from when they were sent",
            "heldCurve" to "table: requests `held` in flight, as the server saw it, with so many `asked`",
            "errors" to "table: how often each `kind` of failure came, with its `count`, by the exception's name or the status",
            "timeline" to
                "table: single requests by `number`, with when each was asked, left the client's queue, was connected, arrived, was " +
                "answered and was read, in ms since the burst began, and the server's number of its `connection`",
            "liveCurve" to
                "table: `live` platform threads, at `atMs` since the probes began; all threads of the gateway where there is one",
            "memoryCurve" to "table: `memoryMiB` of the gateway that no file backs, at `atMs` since the load began",
            "latencyCurve" to "table: the longest latency of requests planned together, `latencyAtMs`, at their planned time `atMs`",
            "sentLatencyCurve" to "table: the same from when they were sent, `sentLatencyAtMs`",
        )

    /** Every column, in the order in which a frame has them. */
    val columns: List<ColumnMeaning> =
        everyTrial.map { (name, meaning) -> ColumnMeaning("trial", name, "", meaning) } +
            Factor.meanings.map { (name, meaning) -> ColumnMeaning("factor", name, "", meaning) } +
            Metrics.writers.map { (metric, workloads) ->
                ColumnMeaning(workloads.joinToString(), metric.name, metric.unit, metric.meaning)
            } +
            nested.map { (name, meaning) -> ColumnMeaning("trial", name, "", meaning) }

    private val units = columns.associate { it.name to it.unit }

    /** The unit of the column [name]; empty for a count or a text, null where the dictionary does not have it. */
    fun unitOf(name: String): String? = units[name]
}

/** What every column of a frame of trials means, with its unit and the workloads that measure it. */
public fun dictionary(): AnyFrame =
    dataFrameOf(
        Dictionary.columns.map { it.name }.toColumn("column"),
        Dictionary.columns.map { it.unit }.toColumn("unit"),
        Dictionary.columns.map { it.meaning }.toColumn("meaning"),
        Dictionary.columns.map { it.kind }.toColumn("of"),
    )
