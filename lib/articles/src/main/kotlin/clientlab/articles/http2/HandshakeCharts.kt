package clientlab.articles.http2

import clientlab.*
import clientlab.articles.*
import clientlab.closedloop.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import org.jetbrains.kotlinx.dataframe.DataRow

/**
 * Processor time of the client's threads per request, in microseconds, for each client without TLS and with it, on a logarithmic axis. Dots
 * are forks. Forks that were not steady have a panel of their own, because they say nothing of steady cost.
 */
public fun Trials<ClosedLoop>.handshakeChart(): Chart {
    val groups = byTreatment().filter { it[Factor.PROTOCOL] != null && it.valid.isNotEmpty() }
    val rows = groups.flatMap { group ->
        mapOf(STEADY to group.counted, NOT_STEADY to group.notSteady)
            .filterValues { it.isNotEmpty() }
            .map { (panel, forks) -> group.costRow(panel, forks) }
    }
    val panels = listOf(STEADY, NOT_STEADY).filter { panel -> rows.any { it.cells["panel"] == panel } }
    return forkPanels(
        titleOf(groups),
        groups.firstOrNull()?.let { "${it.number(Factor.TASKS)} requests, ${it.inFlight} in flight, answered at once" }.orEmpty(),
        groups,
        rows,
        NumberAxis("µs of a processor per request, in the client's threads", NumberScale.LOG10),
        Facets("panel", panels, columns = 2).takeIf { panels.size > 1 },
        row = "name",
        color = "client",
        order = groups.map { it.name },
    ).copy(caption = "medians over forks with 95 % intervals; ${originOf(runs())}")
}

private fun TreatmentTrials.costRow(panel: String, forks: List<DataRow<TrialRow<*>>>): ForkRow {
    val cells = mapOf("name" to name, "client" to client, "panel" to panel)
    val dots = forks.map { cells + ("value" to it.micros) + (TRIAL to TrialRef(it.run, it.round, treatment)) }
    return ForkRow(cells, dots, Bootstrap.median(forks.map { it.micros }))
}

private fun titleOf(groups: List<TreatmentTrials>): String {
    val (secure, plain) = groups.partition { it[Factor.PROTOCOL] == Protocol.Https1.label }
    val times = secure
        .mapNotNull { with ->
            plain.firstOrNull { it.client == with.client }?.let { with.client to with.middle() / it.middle() }
        }.sortedByDescending { it.second }
    val (client, most) = times.firstOrNull() ?: return "No client here was measured with TLS and without it"
    val others = times.drop(1).map { it.second }
    val least = others.minOrNull() ?: return "With TLS a request of $client costs ${rounded(most)} times as much"
    return "With TLS a request of $client costs ${rounded(most)} times as much, of the others ${rounded(least)} to ${rounded(others.max())}"
}

private fun rounded(number: Double): String = Estimate.rounded(number)

/** The median of all valid forks, steady or not. */
private fun TreatmentTrials.middle(): Double = Bootstrap.median(valid.map { it.micros }).value

private val TreatmentTrials.name: String get() = "$client, ${this[Factor.PROTOCOL]}"

private val DataRow<TrialRow<*>>.micros: Double get() = (metric("requestCpuMs") ?: Double.NaN) * MICROS_PER_MS

private const val STEADY = "steady forks"
private const val NOT_STEADY = "forks that were not steady"
private const val MICROS_PER_MS = 1e3
