package clientlab.notebook.chart

import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.originOf
import clientlab.notebook.frame.run

/** What every caption ends with, behind n: the runs of these trials, their commits, and whether the machine was unsettled. */
internal fun List<TreatmentTrials>.origin(): String = originOf(runs())

/** The ids of the runs that these trials come from, for [Chart.runs]. */
public fun List<TreatmentTrials>.runs(): List<String> = flatMap { group -> group.rows.map { it.run } }.distinct()

/** How many forks a point of a figure is made of, as in `n = 5 forks` or `n = 4 to 5 forks`. */
internal fun List<TreatmentTrials>.forks(): String {
    val forks = map { it.counted.size }.distinct().sorted()
    val n = if (forks.size == 1) "${forks.single()}" else "${forks.firstOrNull() ?: 0} to ${forks.lastOrNull() ?: 0}"
    return "n = $n ${if (n == "1") "fork" else "forks"}"
}

/** The caption of a figure whose points are medians with their intervals. */
internal fun List<TreatmentTrials>.captionOfMedians(): String = "${forks()} a point, medians with 95 % intervals; ${origin()}"
