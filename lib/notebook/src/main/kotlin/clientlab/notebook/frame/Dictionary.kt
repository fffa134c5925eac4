package clientlab.notebook.frame

import clientlab.*
import clientlab.workloads.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * A column that a frame of trials may have. The [kind] is `trial` for what every trial has, `factor` for a level of its treatment, or the
 * workloads that measure it; the [unit] is empty for a count or a text.
 */
internal data class ColumnMeaning(val kind: String, val name: String, val unit: String, val meaning: String)

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
            LEFT_OUT to "which slow rounds of the run are left out of this frame: there only after `withoutSlowRounds()`",
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
            "probeResults" to
                "table: the probes of a search in their order: `load`, its `p99Ms`, its `answeredShare`, and the `result` passed, failed " +
                "or undecided",
            "errors" to "table: how often each `kind` of failure came, with its `count`, by the exception's name or the status",
            "observations" to
                "table: what the client did in each `situation`: the `fact`, `ms` where a time says something, the `concern` if it is " +
                "one, and the `events`: at which `ms` `who` did `what`",
            "timeline" to
                "table: single requests by `number`, with when each was asked, left the client's queue, was connected, arrived, was " +
                "answered and was read, in ms since the burst began, and the server's number of its `connection`",
            "shape" to
                "how the load behaves over time: `flat`, `warm-up`, `slowdown` or `no steady state`; empty where it is too short to say",
            "steadyAfterMs" to "from when on the load is steady, since its series began; missing where it never is",
            "series" to
                "table: the intervals of a load, by the `second` at which they end, `warmUp` or not, with `answers`, `p50Ms`, `p99Ms`, " +
                "`requestCpuMs`, the processors that each kind of thread kept busy, `allocatedKb`, `collections`, `classesLoaded`, " +
                "`compiledMethods` and `connectionsOpened`",
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
            nested.map { (name, meaning) -> ColumnMeaning("trial", name, if (name.endsWith("Ms")) "ms" else "", meaning) }

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

/** The text of `data/README.md`: which file has what, and every column with its unit. */
internal object DataReadme {
    fun text(): String =
        buildString {
            append(HEAD)
            section("Every trial", Dictionary.columns.filter { it.kind == "trial" })
            section("Factors: what a treatment varies", Dictionary.columns.filter { it.kind == "factor" })
            append("\n## Metrics\n\n| column | unit | meaning | workloads |\n| --- | --- | --- | --- |\n")
            val metrics = Dictionary.columns.filter { it.kind != "trial" && it.kind != "factor" }
            metrics.forEach { append("| `${it.name}` | ${it.unit} | ${it.meaning} | ${it.kind} |\n") }
        }

    private fun StringBuilder.section(title: String, columns: List<ColumnMeaning>) {
        append("\n## $title\n\n| column | unit | meaning |\n| --- | --- | --- |\n")
        columns.forEach { append("| `${it.name}` | ${it.unit} | ${it.meaning} |\n") }
    }

    private val HEAD =
        """
        |# Data
        |
        |`raw/<experiment>/<run>/` holds the runs made on this machine; git ignores it. `published/<experiment>-<label>/` holds the evidence behind the committed
        |articles; it is never changed. Both hold the same files. Each file has a `schemaVersion`:
        |
        |- `manifest.json`: the experiment with its seed, the versions of all client libraries, SHA-256 of every jar, Java, machine, limits, load before the run, commit.
        |  Newer runs also have clock, governor, swap, how late timers were, the round trip on loopback, which trials were disturbed, and how
        |  long a fixed spin and a loopback echo took before the first round and after each (`pace`).
        |- `trials.jsonl`: one line per trial, in the order in which the trials ended. Warm-ups have a flag. Invalid trials are kept with their reasons. In newer
        |  published runs it is compressed: `trials.jsonl.gz`.
        |- `machine.jsonl`, in newer runs: one line per trial with what happened on the machine meanwhile: load, steal, processors that others kept busy, quota, swap.
        |- `repeated.jsonl`, where an experiment has `repeats`: the trials that other work on the machine disturbed and that were measured again. They count nowhere.
        |  In published runs it is compressed.
        |- `carried/<client>/`, if a client was written in a cell: its classes, the client itself, the text of its cells and small jars of its own. The manifest has the
        |  SHA-256 of each, and names the libraries that are fetched for the client.
        |- `profiles/`, if the fork's `instrument` asked for one: the stacks of each fork, compressed, one per line with its samples or bytes.
        |
        |`published/SHA256SUMS` has the hash of every published file, as `sha256sum` writes it. `published/superseded.json` says of each run that a later one
        |stands in for which one that is, and why; the run stays. `registered/` holds what claims stated before their runs: one file per claim and version.
        |
        |`bench/` holds what `./lab bench` measured of the delay server: one JSON file per bench, with its environment, `measurements` (one row each) and `summary` (their
        |medians).
        |
        |In a notebook `experiment.lastRun()` and `published<Burst>("threads-2026-11")` read a run, with one row per trial. `dictionary()` is this page as a table. A name ends
        |with the number's unit; a number without a unit is a count. Threads are platform threads unless the name says otherwise. A number that could not be taken is
        |missing, never zero. Several workloads share a column, with the same meaning.
        |
        |A manifest names a workload as it did when it was new: `residents` is `IdleTasks` in code, `within` is `ResourceLimits`, `rate` is `GatewayLoad`, `latency` is `OpenLoop`.
        |
        |This page is made from the code. A test compares them.
        |
        """.trimMargin()
}
