package clientlab.articles.transfer

import clientlab.notebook.frame.*

/**
 * One benchmark as source 001 (*I'm not going to use ktor as a network client anymore*, 2021) prints it: 20 iterations of 128 MiB.
 *
 * @property set the `first` of its two series, before it had an implementation of its own, or the `second`.
 * @property mover our id of what moved the bytes: the source's "roket" is `coroutine`, its JVM socket is `stream`.
 * @property stated the mean that its text gives.
 * @property rawMs its raw values, sorted as printed.
 */
internal class SourceTransfer(row: Map<String, String>) {
    val set: String = row.getValue("set")
    val operation: String = row.getValue("operation")
    val mover: String = row.getValue("mover")
    val stated: Double = row.getValue("statedMs").toDouble()
    val rawMs: List<Int> = row.getValue("rawMs").split(' ').map { it.toInt() }

    val mean: Double get() = rawMs.average()
    val median: Double get() = rawMs.sorted().let { (it[(it.size - 1) / 2] + it[it.size / 2]) / 2.0 }
}

internal val SOURCE_001: List<SourceTransfer> by lazy {
    SourceTransfer::class.java.sourceFigures("source-001.csv").map(::SourceTransfer)
}
