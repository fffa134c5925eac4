package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.journal.*
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.ColumnsContainer
import org.jetbrains.kotlinx.dataframe.DataColumn
import org.jetbrains.kotlinx.dataframe.DataFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.annotations.DataSchema
import org.jetbrains.kotlinx.dataframe.api.*

/** The rows of a frame of trials of the workload [W]. Every metric of the journal is a further column. */
@DataSchema
public interface TrialRow<out W : Workload> {
    public val run: String
    public val round: Int
    public val client: String
    public val inFlight: Int
    public val outcome: String
}

/** A DataFrame with one row per trial; the workload's type, as in `Trials<Burst>`, keeps figures of threads from tasks that wait. */
public typealias Trials<W> = DataFrame<TrialRow<W>>

/**
 * The measured trials of this run (complete, wave and invalid) as a frame, or its [warmups]. If no trial counts, the metrics of the
 * workload are still columns, without numbers, so that a cell that names one works.
 */
public fun RunFolder.frame(warmups: Boolean = false): Trials<*> {
    val trials = trials().filter { it.warmup == warmups }
    val workload = manifest.experiment.workload
    val asked = if (trials.all { it.outcome == Outcome.Invalid }) workload.metrics.map { it.name } else emptyList()
    val frame = trials.toTrials(run, asked)
    val shards = manifest.shards
    if (shards.map { it.machine.copy(load = null, openFiles = null) }.distinct().size < 2) return frame
    val machines = shards.flatMap { shard -> shard.rounds.map { it to shard.machine.cpu + ", shard ${shard.shard}" } }.toMap()
    return frame.insert("machine") { machines[round].orEmpty() }.after("round").cast()
}

/**
 * These trials, all of the run [run], as a frame: what identifies a trial, a column a factor, how it ended, one column per metric (null if
 * a trial lacks it, always there if [asked] for), and nested tables, among them `threads`, `serverCurve` and what else the trials kept.
 */
public fun List<Trial>.toTrials(run: String, asked: List<String> = emptyList()): Trials<*> {
    val trials = map { it.withConnectionsPerRequest() }
    val metrics = (trials.flatMap { it.metrics.keys } + asked).distinct()
    val columns = buildList {
        add(trials.map { run }.toColumn("run"))
        add(trials.map { it.experiment }.toColumn("experiment"))
        add(trials.map { it.round }.toColumn("round"))
        Factor.all.filter { factor -> trials.any { it.treatment[factor] != null } }.forEach { addAll(factorColumns(trials, it)) }
        add(trials.map { it.outcome.toString() }.toColumn("outcome"))
        add(trials.map { it.reasons.joinToString(" ") }.toColumn("reasons"))
        add(trials.map { it.warnings.joinToString(" ") }.toColumn("warnings"))
        metrics.forEach { metric -> add(trials.map { it.metrics[metric] }.toColumn(metric)) }
        val left = trials.map { it.leaks?.threads.orEmpty() }
        add(left.map { it.size }.toColumn("threadsLeft"))
        add(left.map { it.distinct().joinToString() }.toColumn("threadsLeftNames"))
        add(trials.map(::protocolsSeen).toColumn("protocolsSeen"))
        addAll(nestedTables(trials))
    }
    return dataFrameOf(columns).cast()
}

/** This trial with its connections per request, which the evidence tells where a trial is older than that metric. */
private fun Trial.withConnectionsPerRequest(): Trial {
    if ("connectionsOpened" !in metrics || "connectionsPerRequest" in metrics) return this
    return evidence?.connectionsPerRequest?.let { copy(metrics = metrics + ("connectionsPerRequest" to it)) } ?: this
}

/** The levels of [factor], as numbers if none is a text; behind the clients their versions, if any client names one. */
private fun factorColumns(trials: List<Trial>, factor: String): List<AnyCol> {
    val texts = trials.any { it.treatment.levels[factor]?.isString == true }
    val levels = trials.map { it.treatment[factor] }
    val column = if (texts) levels.toColumn(factor) else levels.map { it?.toInt() }.toColumn(factor)
    val versions = trials.map { trial -> trial.treatment.client?.let { ClientInfo.versionOf(it) } }
    val versioned = factor == Factor.CLIENT && versions.any { it != null }
    return if (versioned) listOf(column, versions.toColumn(Factor.VERSION)) else listOf(column)
}

/** The tables within the rows: those of every trial, then those of curves that any trial has, and what is known of its series. */
private fun nestedTables(trials: List<Trial>): List<AnyCol> = buildList {
    add(trials.map(::threadTable).toColumn("threads"))
    add(trials.map { curveTable(it.evidence?.inFlightCurve.orEmpty(), "inFlight") }.toColumn("serverCurve"))
    add(trials.map { curveTable(it.curves["live"].orEmpty(), "live") }.toColumn("liveCurve"))

    fun addIfAny(curve: String, column: String, table: (List<List<Double>>) -> AnyFrame) {
        if (trials.any { curve in it.curves }) add(trials.map { table(it.curves[curve].orEmpty()) }.toColumn(column))
    }
    if (trials.any { it.treatment[Factor.LOOP] != null }) {
        PERCENTILE_CURVES.forEach { (curve, column) -> addIfAny(curve, column, ::percentileTable) }
    }
    addIfAny("held", "heldCurve", ::heldTable)
    if (trials.any { "held" in it.curves }) add(trials.map(::errorTable).toColumn("errors"))
    addIfAny("probes", "probeResults", ::probeTable)
    addIfAny("iterationMs", "iterationTimes", ::iterationTable)
    if (trials.any { it.observations.isNotEmpty() }) add(trials.map(::observationTable).toColumn("observations"))
    if (trials.any { it.timeline != null }) add(trials.map(::timelineTable).toColumn(TIMELINE))
    if (trials.any { it.series != null }) {
        add(trials.map { it.series?.shape.orEmpty() }.toColumn(SHAPE))
        add(trials.map(::steadyAfterMs).toColumn(STEADY_AFTER_MS))
        add(trials.map(::seriesTable).toColumn(SERIES))
    }
    GATEWAY_CURVES.forEach { (curve, column) -> addIfAny(curve, column) { curveTable(it, curve) } }
}

/** The distributions of latencies, and the columns of their tables. */
private val PERCENTILE_CURVES = mapOf("latencyMs" to "latencyByPercentile", "sentLatencyMs" to "sentLatencyByPercentile")

/** Curves that only some workloads have, and the columns of their tables. */
private val GATEWAY_CURVES =
    mapOf("memoryMiB" to "memoryCurve", "latencyAtMs" to "latencyCurve", "sentLatencyAtMs" to "sentLatencyCurve")

private fun threadTable(trial: Trial): AnyFrame =
    dataFrameOf(
        trial.threads.map { it.owner }.toColumn("owner"),
        trial.threads.map { it.state.label }.toColumn("doing"),
        trial.threads.map { it.count }.toColumn("count"),
    )

private fun percentileTable(points: List<List<Double>>): AnyFrame =
    dataFrameOf(points.map { it[0] * 100 }.toColumn("percent"), points.map { it[1] }.toColumn("ms"))

/** The requests of an audit's load, and how many of them the server had in flight at once. */
private fun heldTable(points: List<List<Double>>): AnyFrame =
    dataFrameOf(points.map { it[0].toInt() }.toColumn("asked"), points.map { it[1].toInt() }.toColumn("held"))

/** The probes of a search for a capacity, in their order. */
private fun probeTable(points: List<List<Double>>): AnyFrame =
    dataFrameOf(
        points.map { it[0].toInt() }.toColumn("load"),
        points.map { it[1] }.toColumn("p99Ms"),
        points.map { it[2] }.toColumn("answeredShare"),
        points.map { PROBE_RESULTS.getValue(it[3].toInt()) }.toColumn("result"),
    )

private val PROBE_RESULTS = mapOf(1 to "passed", 0 to "failed", -1 to "undecided")

/**
 * What a client did in each situation; `ms` is null where no time says anything, and `concern` is empty where there is none. `events` is
 * there where they were kept.
 */
private fun observationTable(trial: Trial): AnyFrame =
    dataFrameOf(
        listOfNotNull(
            trial.observations.map { it.situation }.toColumn("situation"),
            trial.observations.map { it.fact }.toColumn("fact"),
            trial.observations.map { it.ms }.toColumn("ms"),
            trial.observations.map { it.concern }.toColumn("concern"),
            trial.observations
                .map {
                    eventTable(
                        it.events,
                    )
                }.toColumn("events")
                .takeIf { trial.observations.any { it.events.isNotEmpty() } },
        ),
    )

private fun eventTable(events: List<Event>): AnyFrame =
    dataFrameOf(
        events.map { it.ms }.toColumn("ms"),
        events.map { it.who.name.lowercase() }.toColumn("who"),
        events.map { it.what }.toColumn("what"),
    )

private fun errorTable(trial: Trial): AnyFrame {
    val (kinds, counts) = trial.errors.toList().unzip()
    return dataFrameOf(kinds.toColumn("kind"), counts.toColumn("count"))
}

private fun iterationTable(points: List<List<Double>>): AnyFrame =
    dataFrameOf(points.map { it[0].toInt() }.toColumn("iteration"), points.map { it[1] }.toColumn("ms"))

private fun curveTable(points: List<List<Double>>, value: String): AnyFrame =
    dataFrameOf(points.map { it[0] }.toColumn("atMs"), points.map { it[1].toInt() }.toColumn(value))

// The columns that a reader filters and groups by, by name: trials.filter { client == "ktor-cio" && inFlight == 500 }.

/** The id of the run. */
public val ColumnsContainer<TrialRow<*>>.run: DataColumn<String> get() = column("run")
public val DataRow<TrialRow<*>>.run: String get() = cell("run")

/** The number of the round, from 0. */
public val ColumnsContainer<TrialRow<*>>.round: DataColumn<Int> get() = column("round")
public val DataRow<TrialRow<*>>.round: Int get() = cell("round")

/** The id of the client. */
public val ColumnsContainer<TrialRow<*>>.client: DataColumn<String> get() = column("client")
public val DataRow<TrialRow<*>>.client: String get() = cell("client")

/** How many requests were sent at once. */
public val ColumnsContainer<TrialRow<*>>.inFlight: DataColumn<Int> get() = column("inFlight")
public val DataRow<TrialRow<*>>.inFlight: Int get() = cell("inFlight")

/** `complete`, `wave` or `invalid`. */
public val ColumnsContainer<TrialRow<*>>.outcome: DataColumn<String> get() = column("outcome")
public val DataRow<TrialRow<*>>.outcome: String get() = cell("outcome")

/** From the first request sent to the last body read, in milliseconds. */
public val ColumnsContainer<TrialRow<*>>.durationMs: DataColumn<Double?> get() = column("durationMs")
public val DataRow<TrialRow<*>>.durationMs: Double? get() = metric("durationMs")

/** Platform threads, new since the baseline, that were each held by one request at the snapshot. */
public val ColumnsContainer<TrialRow<*>>.threadsBlocked: DataColumn<Double?> get() = column("threadsBlocked")
public val DataRow<TrialRow<*>>.threadsBlocked: Double? get() = metric("threadsBlocked")

/** Platform threads, new since the baseline, at the snapshot. */
public val ColumnsContainer<TrialRow<*>>.threadsNew: DataColumn<Double?> get() = column("threadsNew")
public val DataRow<TrialRow<*>>.threadsNew: Double? get() = metric("threadsNew")

/** The count that source 000 reports: new threads that are not parked. */
public val ColumnsContainer<TrialRow<*>>.activeUnparkedNew: DataColumn<Double?> get() = column("activeUnparkedNew")
public val DataRow<TrialRow<*>>.activeUnparkedNew: Double? get() = metric("activeUnparkedNew")

/** The metric [name] of this trial, or null if the trial lacks it. */
public fun DataRow<TrialRow<*>>.metric(name: String): Double? =
    if (name in df().columnNames()) (this[name] as Number?)?.toDouble() else null

@Suppress("UNCHECKED_CAST")
private fun <T> ColumnsContainer<*>.column(name: String): DataColumn<T> = this[name] as DataColumn<T>

@Suppress("UNCHECKED_CAST")
private fun <T> DataRow<*>.cell(name: String): T = this[name] as T
