package clientlab.notebook.frame

import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.distinct
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn
import org.jetbrains.kotlinx.dataframe.api.toList

/** The trials of one treatment. */
public class TreatmentTrials(
    public val client: String,
    public val inFlight: Int,
    public val start: String,
    public val rows: List<DataRow<TrialRow>>,
) {
    /** The trials that count: complete ones, or the waves where all that are not invalid are waves. */
    public val counted: List<DataRow<TrialRow>> = rows.filter { it.outcome == "complete" }.ifEmpty { rows.filter { it.outcome == "wave" } }

    /** Whether what counts are waves, so that nothing of it may be compared at the level asked for. */
    public val wave: Boolean get() = counted.isNotEmpty() && counted.all { it.outcome == "wave" }

    /** The values of [metric], one a fork that counts. */
    public fun values(metric: String): List<Double> = counted.mapNotNull { it.metric(metric) }

    /** The median of [metric] with its interval over forks. */
    public fun median(metric: String): Estimate = Bootstrap.median(values(metric))
}

/** These trials by treatment, in the order in which the clients first stand in the experiment's rounds sorted by id and level. */
public fun Trials.byTreatment(): List<TreatmentTrials> =
    rows()
        .groupBy { Triple(it.client, it.inFlight, it.start) }
        .map { (key, rows) -> TreatmentTrials(key.first, key.second, key.third, rows) }
        .sortedWith(compareBy({ ClientOrder.of(it.client) }, { it.client }, { it.inFlight }, { it.start }))

/**
 * A row for each treatment: how many forks count and how they ended, then medians with 95 % bootstrap intervals over forks of the time,
 * the threads held by requests, source 000's count, all new threads and the resident set.
 */
public fun Trials.summary(): AnyFrame {
    val all = byTreatment()

    fun estimates(metric: String, scale: Double = 1.0) =
        all.map { group ->
            val estimate = Bootstrap.median(group.values(metric).map { it * scale })
            if (estimate.n == 0) "none" else estimate.toString()
        }
    val cold = all.any { it.start != "warm" }
    return dataFrameOf(
        listOfNotNull(
            all.map { it.client }.toColumn("client"),
            all.map { it.inFlight }.toColumn("inFlight"),
            all.map { it.start }.toColumn("start").takeIf { cold },
            all.map { it.counted.size }.toColumn("n"),
            all.map(::outcomes).toColumn("outcome"),
            estimates("durationMs").toColumn("durationMs"),
            estimates("threadsBlocked").toColumn("threadsBlocked"),
            estimates("activeUnparkedNew").toColumn("activeUnparkedNew"),
            estimates("threadsNew").toColumn("threadsNew"),
            estimates("rssBytes", 1e-6).toColumn("rssMB"),
        ),
    )
}

/** The trials that are not complete, and those with a warning, each with what there is to say about it. */
public fun Trials.notes(): AnyFrame = filter { outcome != "complete" || (this["warnings"] as String).isNotEmpty() }.let { left ->
    dataFrameOf(
        left.rows().map { it.client }.toColumn("client"),
        left.rows().map { it.inFlight }.toColumn("inFlight"),
        left.rows().map { it.round }.toColumn("round"),
        left.rows().map { it.outcome }.toColumn("outcome"),
        left.rows().map { "${it["reasons"]} ${it["warnings"]}".trim() }.toColumn("because"),
    )
}

/** The ids of the runs that these trials come from. */
public fun Trials.runs(): List<String> = this["run"].distinct().toList().map { it.toString() }

private fun outcomes(group: TreatmentTrials): String {
    val counts = group.rows.groupingBy { it.outcome }.eachCount()
    if (counts.keys.singleOrNull() == "wave") {
        val held = group
            .values("inFlightPeak")
            .map { it.toInt() }
            .distinct()
            .sorted()
        return "wave of ${held.joinToString("–")}"
    }
    return counts.keys.singleOrNull() ?: counts.entries.sortedBy { it.key }.joinToString { "${it.value} ${it.key}" }
}

private val DataRow<TrialRow>.start: String get() = if ("start" in df().columnNames()) this["start"].toString() else "warm"
