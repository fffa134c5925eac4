package clientlab

import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** How a trial ended. */
@Serializable
public enum class Outcome {
    /** The server saw all requests in flight at once, and none was answered early. All answers were right. */
    @SerialName("complete")
    Complete,

    /**
     * Fewer requests were in flight than were asked: the client has a limit. It is kept, and no comparison at the level asked for uses
     * it.
     */
    @SerialName("wave")
    Wave,

    /** Anything else. It is kept with its reasons and counted; no figure and no claim uses it. */
    @SerialName("invalid")
    Invalid,

    ;

    override fun toString(): String = name.lowercase()
}

/**
 * The result of one treatment in one fork: a line of `trials.jsonl`.
 *
 * @property round the number of the round, from 0; (round, treatment, warmup) is the key within a run.
 * @property warmup whether it warms the fork up: such a trial is kept, and no claim uses it.
 * @property reasons why the trial is not complete; each a sentence.
 * @property warnings what a reader should know although the trial counts.
 * @property metrics numbers by their column name, which ends with the unit. A metric that could not be taken is missing.
 * @property errors the number of failures of each kind, by exception or status.
 * @property threads the platform threads at the snapshot that were new since the baseline, by activity and owner.
 * @property evidence what the server saw; missing if the trial ended before it could be read.
 * @property leaks what was left behind after the session was closed.
 * @property curves at most 200 points each: `live` and `unparked` as `[ms since the burst's probes began, threads]`, `latencyMs` as
 *   `[share of requests, ms]`.
 * @property timeline the times of single requests, if the workload asks for them.
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
