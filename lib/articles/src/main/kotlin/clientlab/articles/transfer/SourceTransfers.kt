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
internal class SourceTransfer(
    val set: String,
    val operation: String,
    val mover: String,
    val stated: Double,
    val rawMs: List<Int>,
) {
    /** The mean of the raw values. */
    val mean: Double get() = rawMs.average()

    /** The median of the raw values. */
    val median: Double get() = rawMs.sorted().let { (it[(it.size - 1) / 2] + it[it.size / 2]) / 2.0 }
}

/** All benchmarks of source 001, its raw values as published. */
internal val SOURCE_001: List<SourceTransfer> by lazy {
    SourceTransfer::class.java.sourceFigures("source-001.csv").map { row ->
        SourceTransfer(
            set = row.getValue("set"),
            operation = row.getValue("operation"),
            mover = row.getValue("mover"),
            stated = row.getValue("statedMs").toDouble(),
            rawMs = row.getValue("rawMs").split(' ').map { it.toInt() },
        )
    }
}
