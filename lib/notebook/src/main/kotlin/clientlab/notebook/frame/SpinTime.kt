package clientlab.notebook.frame

import clientlab.*
import clientlab.notebook.journal.*

/**
 * What the reference spin took during the runs of these trials, in milliseconds: the median of each run's readings, and of several runs the
 * longest. The spin is the same in every run, so it compares the machines of two runs. Null for runs without readings.
 */
public fun Trials<*>.spinMs(): Double? =
    runs().mapNotNull { RunFolder.find(it) }.flatMap { it.manifest.paces() }.mapNotNull { it.spinMs }.maxOrNull()
