package clientlab.notebook.chart

import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.originOf
import clientlab.notebook.frame.run

/** What every caption ends with, behind n: the runs of these trials, their commits, and whether the machine was unsettled. */
internal fun List<TreatmentTrials>.origin(): String = originOf(flatMap { group -> group.rows.map { it.run } }.distinct())
