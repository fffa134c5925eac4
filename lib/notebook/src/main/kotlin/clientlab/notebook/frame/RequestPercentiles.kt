package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn

/**
 * The latency of single requests in ms: one row per treatment and one column for each of [percentiles], computed per fork, with the median
 * over forks and its 95 % interval. Fails if no trial has kept the times of its requests.
 */
public fun Trials<*>.latencyPercentiles(vararg percentiles: Double = doubleArrayOf(50.0, 90.0, 99.0)): AnyFrame {
    val groups = byTreatment().map { it to it.latencies() }.filter { (_, forks) -> forks.any { it.isNotEmpty() } }
    if (groups.isEmpty()) throw LabException("No trial here has the times of single requests: run a Burst with timeline = true.")
    return dataFrameOf(
        listOf(
            groups.map { (group, _) -> group.treatment.toString() }.toColumn("treatment"),
            groups.map { (_, forks) -> forks.size }.toColumn("n"),
        ) +
            percentiles.map { share ->
                groups
                    .map { (_, forks) ->
                        Percentiles.overForks(forks, share).toString()
                    }.toColumn("p${share.toBigDecimal().stripTrailingZeros().toPlainString()}Ms")
            },
    ).from(this)
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
