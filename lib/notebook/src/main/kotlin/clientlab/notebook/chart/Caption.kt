package clientlab.notebook.chart

import clientlab.notebook.frame.*

/** The treatments that a figure shows, and those that it is about and cannot show, because none of their trials counts. */
public class Measured(shown: List<TreatmentTrials>, public val leftOut: List<TreatmentTrials>) : List<TreatmentTrials> by shown {
    /** Those of them that a figure shows for another reason too. */
    public fun only(where: (TreatmentTrials) -> Boolean): Measured = Measured(filter(where), leftOut)
}

/** The treatments [where] something is to be shown of; a figure's caption then names those of which no trial counts. */
public fun Trials<*>.measured(where: (TreatmentTrials) -> Boolean = { true }): Measured = byTreatment().filter(where).measured()

public fun List<TreatmentTrials>.measured(): Measured = partition { it.counted.isNotEmpty() }.let { (shown, out) -> Measured(shown, out) }

/** What a caption has behind n: the runs of these trials, their commits, whether the machine was unsettled, and what is left out. */
public fun List<TreatmentTrials>.origin(): String = originOf(all().runs()) + leftOut()

/**
 * The trials and the slow rounds that a figure leaves out, as in `; left out: boom, 5 of 5 trials invalid; jdk, 2 of 8 trials not steady`; an
 * empty text where there are none.
 */
public fun List<TreatmentTrials>.leftOut(): String {
    val all = all()
    val trials = all.groupBy { it.treatment.subject.ifEmpty { "${it.treatment}" } }.flatMap { (name, of) ->
        val left = mapOf(
            "invalid" to of.sumOf { it.rows.count { row -> row.outcome == "invalid" } },
            "not steady" to of.sumOf { it.notSteady.size },
        )
        left.filterValues { it > 0 }.map { (because, n) -> "$name, $n of ${of.sumOf { it.rows.size }} trials $because" }
    }
    val out = trials + all.flatMap { it.rows.leftOutRounds() }.distinct()
    return if (out.isEmpty()) "" else out.joinToString("; ", prefix = "; left out: ")
}

/** What a headline about every client adds, so that it speaks of those alone that were measured; empty where nothing is left out. */
public val List<TreatmentTrials>.measuredHere: String get() = if ((this as? Measured)?.leftOut.isNullOrEmpty()) "" else " measured here"

/** [title], or where trials were made and none of them counts, that. */
public fun List<TreatmentTrials>.headline(title: String): String =
    if (isEmpty() && measuredHere.isNotEmpty()) "No trial here is valid, so there is nothing to show" else title

private fun List<TreatmentTrials>.all(): List<TreatmentTrials> = this + (this as? Measured)?.leftOut.orEmpty()

/** The ids of the runs that these trials come from, for [Chart.runs]. */
public fun List<TreatmentTrials>.runs(): List<String> = flatMap { group -> group.rows.map { it.run } }.distinct()

/** The number of forks behind a point of a figure, as in `n = 5 forks` or `n = 4 to 5 forks`. */
public fun List<TreatmentTrials>.forks(): String {
    val forks = map { it.counted.size }.distinct().sorted()
    val n = if (forks.size == 1) "${forks.single()}" else "${forks.firstOrNull() ?: 0} to ${forks.lastOrNull() ?: 0}"
    return "n = $n ${if (n == "1") "fork" else "forks"}"
}

/** The caption of a figure whose points are medians with their intervals. */
public fun List<TreatmentTrials>.captionOfMedians(): String = "${forks()} a point, medians with 95 % intervals; ${origin()}"
