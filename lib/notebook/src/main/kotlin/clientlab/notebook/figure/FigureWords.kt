package clientlab.notebook.figure

import clientlab.notebook.chart.*
import clientlab.notebook.frame.*

/** The caption of a figure whose points are medians or slopes. */
public fun List<TreatmentTrials>.captionOfPoints(): String = "${forks()} a point, medians, 95 % intervals; ${origin()}"

/** Names in a sentence: `a, b and c`. */
public fun listed(names: List<String>): String =
    if (names.size < 2) names.joinToString() else "${names.dropLast(1).joinToString()} and ${names.last()}"
