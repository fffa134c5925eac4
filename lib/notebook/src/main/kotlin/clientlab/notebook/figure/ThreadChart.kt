package clientlab.notebook.figure

import clientlab.burst.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/** Platform threads held by requests, per client: each trial is a dot, with the median and its interval over forks in front. */
public fun Trials<Burst>.threadChart(): Chart {
    val groups = measured()
    val holders = groups.filter { it.median("threadsBlocked").value >= 0.9 * it.held() }.map { it.client }.distinct()
    val others = groups.filter { it.client !in holders }.maxOfOrNull { it.median("threadsBlocked").value }
    val title =
        if (holders.isEmpty()) {
            groups.headline("No client${groups.measuredHere.ifEmpty { " here" }} holds a platform thread for each request")
        } else {
            "${listed(holders)} ${if (holders.size == 1) "holds" else "hold"} a platform thread for each request"
        }
    val rest = others?.let { "; the others hold ${if (it == 0.0) "none" else "at most ${Estimate.rounded(it)}"}" }.orEmpty()
    return clientsPanels(
        groups,
        "threadsBlocked",
        "platform threads held by requests, at the moment all are in flight",
        title,
        title + rest,
    )
}

/** How many were in flight when the threads were counted. */
private fun TreatmentTrials.held() = median("inFlightPeak").value
