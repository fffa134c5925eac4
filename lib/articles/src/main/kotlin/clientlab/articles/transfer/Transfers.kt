package clientlab.articles.transfer

import clientlab.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.transfer.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** The operation on the bytes, or an empty text if the trial moved none. */
public val DataRow<TrialRow<*>>.operation: String get() = text(Factor.OPERATION)

/** The means that moved the bytes, or an empty text if a client did it. */
public val DataRow<TrialRow<*>>.means: String get() = text(Factor.IO_API)

/** What moved the bytes in the treatment: a means, or over HTTP a client. */
public val TreatmentTrials.mover: String get() = this[Factor.IO_API] ?: client

/** The trials of [operation] by [mover], at the most frequent size and concurrency of these trials. */
public fun Trials<*>.moving(operation: String, mover: String): TreatmentTrials? {
    val groups = byTreatment().filter { it[Factor.OPERATION] == operation && it.mover == mover }
    val usual = rows()
        .mapNotNull { it.metricOrNull(Factor.BYTES) }
        .groupingBy { it }
        .eachCount()
        .maxByOrNull { it.value }
        ?.key
    return groups.firstOrNull { it.number(Factor.BYTES)?.toDouble() == usual } ?: groups.firstOrNull()
}

/**
 * The [metric] of [mover] by that of [other], both at [operation]: one value per round that has both, so that the state of the machine
 * affects numerator and denominator alike.
 */
public fun Trials<*>.byRound(operation: String, mover: String, other: String, metric: String): List<Double> {
    val below = moving(operation, other)?.counted.orEmpty().associateBy { it.round }
    return moving(operation, mover)?.counted.orEmpty().mapNotNull { row ->
        val denominator = below[row.round]?.metric(metric)?.takeIf { it > 0 }
        row.metric(metric)?.let { value -> denominator?.let { value / it } }
    }
}

/** The throughput of a plain loop inside this lab's harness as a share of one outside it, in the same run, with its interval. */
public fun Trials<Transfer>.yardstick(): AnyFrame {
    val operations = listOf("file-read", "socket-write").filter { moving(it, PLAIN) != null && moving(it, STREAM) != null }
    val shares = operations.map { operation -> Bootstrap.median(byRound(operation, STREAM, PLAIN, "throughputMiBs")) }
    return dataFrameOf(
        operations.toColumn("operation"),
        operations.map { "${moving(it, PLAIN)?.median("throughputMiBs")}" }.toColumn("plainLoopMiBs"),
        operations.map { "${moving(it, STREAM)?.median("throughputMiBs")}" }.toColumn("harnessMiBs"),
        shares.map { it.toString() }.toColumn("harnessByPlainLoop"),
        shares.map { it.n }.toColumn("n"),
    ).from(this)
}

/**
 * The benchmarks of source 001 beside ours: its mean and the median of its raw values, and the ratio to a stream's time, theirs and ours.
 * Milliseconds of two machines do not compare; such ratios may.
 */
public fun Trials<Transfer>.besideSource001(): AnyFrame {
    val rows = SOURCE_001.filter { moving(it.operation, it.mover) != null }

    fun stream(of: SourceTransfer) = SOURCE_001.first { it.set == of.set && it.operation == of.operation && it.mover == STREAM }

    fun ours(of: SourceTransfer, metric: String) = checkNotNull(moving(of.operation, of.mover)).median(metric).toString()
    return dataFrameOf(
        rows.map { "${it.operation}, ${it.mover}" }.toColumn("what"),
        rows.map { it.set }.toColumn("series"),
        rows.map { Estimate.rounded(it.mean) }.toColumn("sourceMeanMs"),
        rows.map { Estimate.rounded(it.median) }.toColumn("sourceMedianMs"),
        rows.map { Estimate.rounded(it.median / stream(it).median) }.toColumn("sourceByStream"),
        rows.map { ours(it, "iterationMeanMs") }.toColumn("ourMeanMs"),
        rows.map { ours(it, "iterationMedianMs") }.toColumn("ourMedianMs"),
        rows.map { row -> Bootstrap.median(byRound(row.operation, row.mover, STREAM, TIME)).toString() }.toColumn("ourByStream"),
    ).from(this)
}

private fun DataRow<TrialRow<*>>.text(factor: String): String = if (factor in df().columnNames()) this[factor]?.toString().orEmpty() else ""

private fun DataRow<TrialRow<*>>.metricOrNull(name: String): Double? =
    if (name in df().columnNames()) (this[name] as Number?)?.toDouble() else null

private const val STREAM = "stream"
private const val PLAIN = "plain-loop"
private const val TIME = "iterationMedianMs"
