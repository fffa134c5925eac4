package clientlab.notebook.chart

import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.originOf
import clientlab.notebook.frame.run

/** What every caption ends with, behind n: the runs of these trials, their commits, and whether the machine was unsettled. */
public fun List<TreatmentTrials>.origin(): String = originOf(flatMap { group -> group.rows.map { it.run } }.distinct())

/** How many forks a point of a figure is made of, as in `n = 5 forks` or `n = 4 to 5 forks`. */
public fun List<TreatmentTrials>.forks(): String {
    val forks = map { it.counted.size }.distinct().sorted()
    val n = if (forks.size == 1) "${forks.single()}" else "${forks.firstOrNull() ?: 0} to ${forks.lastOrNull() ?: 0}"
    return "n = $n ${if (n == "1") "fork" else "forks"}"
}

/** The caption of a figure whose points are medians with their intervals. */
public fun List<TreatmentTrials>.captionOfMedians(): String = "${forks()} a point, medians with 95 % intervals; ${origin()}"
