package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** How a trial ended. */
@Serializable
public enum class Outcome {
    /** The server saw all requests in flight at once, no answer was early, and all were right. */
    @SerialName("complete")
    Complete,

    /** The client has a limit below the requests asked for. The trial is kept; no comparison at the level asked for uses it. */
    @SerialName("wave")
    Wave,

    /** Anything else. It is kept with its reasons and counted; no figure and no claim uses it. */
    @SerialName("invalid")
    Invalid,

    ;

    override fun toString(): String = name.lowercase()
}

/**
 * The result of one treatment in one fork: a line of `trials.jsonl`. Its key within a run is (round, treatment, warmup).
 *
 * @property warmup whether it warms the fork up: such a trial is kept, and no claim uses it.
 * @property reasons why the trial is not complete; each a sentence.
 * @property warnings what a reader should know although the trial counts.
 * @property metrics numbers by column name. A metric that could not be taken is missing.
 * @property errors the number of failures of each kind, by exception or status.
 * @property threads those at the snapshot that were new since the baseline.
 * @property curves at most 200 points each: `live` and `unparked` as `[ms since the burst's probes began, threads]`, `latencyMs` as
 *   `[share of requests, ms]`, `probes` as `[load, p99 in ms, share answered, 1 passed or 0 failed or -1 undecided]`.
 * @property series the intervals of a load over time; null for a burst.
 * @property observations what the client did in each situation; empty for a load.
 */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
public data class Trial(
    val experiment: String,
    val round: Int,
    val treatment: Treatment,
    val warmup: Boolean,
    val outcome: Outcome,
    val reasons: List<String> = emptyList(),
    val warnings: List<String> = emptyList(),
    val metrics: Map<String, Double> = emptyMap(),
    val errors: Map<String, Int> = emptyMap(),
    val threads: List<ThreadCount> = emptyList(),
    val evidence: Evidence? = null,
    val leaks: Leaks? = null,
    val curves: Map<String, List<List<Double>>> = emptyMap(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val timeline: Timeline? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val series: Series? = null,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val observations: List<Observation> = emptyList(),
    val schemaVersion: Int = SCHEMA_VERSION,
) {
    public companion object {
        /** The version of the journal's lines and of the manifest. */
        public const val SCHEMA_VERSION: Int = 1

        /** A trial that ended before its measurement. */
        public fun invalid(experiment: String, round: Int, treatment: Treatment, reason: String): Trial =
            Trial(experiment, round, treatment, warmup = false, outcome = Outcome.Invalid, reasons = listOf(reason))
    }
}

/** New platform threads by name, and open connections, that a closed session left; the adapter does not declare the undeclared of them. */
@Serializable
public data class Leaks(
    val threads: List<String> = emptyList(),
    val undeclared: List<String> = emptyList(),
    val connections: Long = 0,
    val undeclaredConnections: Long = 0,
)
