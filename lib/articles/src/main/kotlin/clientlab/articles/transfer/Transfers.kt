package clientlab.articles.transfer

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.transfer.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/** What moved the bytes in the treatment: a means, or over HTTP a client. */
internal val TreatmentTrials.mover: String get() = this[Factor.IO_API] ?: client

/** The trials of [operation] by [mover], at the most frequent size of these trials. */
internal fun Trials<*>.moving(operation: String, mover: String): TreatmentTrials? {
    val groups = byTreatment().filter { it[Factor.OPERATION] == operation && it.mover == mover }
    val usual = rows()
        .mapNotNull { it.metric(Factor.BYTES) }
        .groupingBy { it }
        .eachCount()
        .maxByOrNull { it.value }
        ?.key
    return groups.firstOrNull { it.number(Factor.BYTES)?.toDouble() == usual } ?: groups.firstOrNull()
}

internal fun Trials<*>.moved(operation: String, mover: String): List<AnyTrial> = moving(operation, mover)?.counted.orEmpty()

/** The [metric] of [mover] by that of [other], both at [operation], per round. */
internal fun Trials<*>.byRound(operation: String, mover: String, other: String, metric: String): List<Double> =
    perRound(moved(operation, mover), moved(operation, other), metric) { a, b -> if (b > 0) a / b else null }

/** The throughput of a plain loop inside this lab's harness as a share of one outside it, in the same run, with its interval. */
public fun Trials<Transfer>.yardstick(): AnyFrame {
    fun share(operation: String) = Bootstrap.median(byRound(operation, STREAM, PLAIN, THROUGHPUT))
    return listOf("file-read", "socket-write")
        .filter { moving(it, PLAIN) != null && moving(it, STREAM) != null }
        .toDataFrame {
            "operation" from { it }
            "plainLoopMiBs" from { "${moving(it, PLAIN)?.median(THROUGHPUT)}" }
            "harnessMiBs" from { "${moving(it, STREAM)?.median(THROUGHPUT)}" }
            "harnessByPlainLoop" from { share(it).toString() }
            "n" from { share(it).n }
        }.from(this)
}

/**
 * The benchmarks of source 001 beside ours: its mean and the median of its raw values, and the ratio to a stream's time, theirs and ours.
 * Milliseconds of two machines do not compare; such ratios may.
 */
public fun Trials<Transfer>.besideSource001(): AnyFrame {
    fun stream(of: SourceTransfer) = SOURCE_001.first { it.set == of.set && it.operation == of.operation && it.mover == STREAM }

    fun ours(of: SourceTransfer, metric: String) = "${moving(of.operation, of.mover)?.median(metric)}"
    return SOURCE_001
        .filter { moving(it.operation, it.mover) != null }
        .toDataFrame {
            "what" from { "${it.operation}, ${it.mover}" }
            "series" from { it.set }
            "sourceMeanMs" from { Estimate.rounded(it.mean) }
            "sourceMedianMs" from { Estimate.rounded(it.median) }
            "sourceByStream" from { Estimate.rounded(it.median / stream(it).median) }
            "ourMeanMs" from { ours(it, "iterationMeanMs") }
            "ourMedianMs" from { ours(it, TIME) }
            "ourByStream" from { Bootstrap.median(byRound(it.operation, it.mover, STREAM, TIME)).toString() }
        }.from(this)
}

internal const val STREAM = "stream"
internal const val TIME = "iterationMedianMs"
private const val PLAIN = "plain-loop"
private const val THROUGHPUT = "throughputMiBs"
