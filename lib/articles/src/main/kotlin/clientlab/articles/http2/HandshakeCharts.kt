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
    val asked = byTreatment().filter { it[Factor.PROTOCOL] != null }
    val groups = asked.filter { it.valid.isNotEmpty() }
    val rows = groups.flatMap { group ->
        mapOf(STEADY to group.counted, NOT_STEADY to group.notSteady)
            .filterValues { it.isNotEmpty() }
            .map { (panel, forks) -> group.costRow(panel, forks) }
    }
    val panels = listOf(STEADY, NOT_STEADY).filter { panel -> rows.any { it.cells["panel"] == panel } }
    val invalid = asked.sumOf { group -> group.rows.size - group.valid.size }
    val leftOut = if (invalid == 0) "" else "; left out: $invalid of ${asked.sumOf { it.rows.size }} trials invalid"
    return forkPanels(
        titleOf(groups),
        groups
            .firstOrNull()
            ?.let {
                "${withCommas(
                    it.number(Factor.TASKS) ?: 0,
                )} requests, ${it.inFlight} in flight, answered at once"
            }.orEmpty(),
        groups,
        rows,
        NumberAxis("µs of a processor per request, in the client's threads", NumberScale.LOG10),
        Facets("panel", panels, columns = 2).takeIf { panels.size > 1 },
        row = "name",
        color = "client",
        order = groups.map { it.name },
    ).copy(caption = "medians over forks with 95 % intervals; ${originOf(runs())}$leftOut")
}

private fun TreatmentTrials.costRow(panel: String, forks: List<DataRow<TrialRow<*>>>): ForkRow {
    val cells = mapOf("name" to name, "client" to client, "panel" to panel)
    val micros = forks.mapNotNull { fork -> fork.metric(CPU)?.let { fork to it * MICROS_PER_MS } }
    val dots = micros.map { (fork, value) -> cells + ("value" to value) + (TRIAL to TrialRef(fork.run, fork.round, treatment)) }
    return ForkRow(cells, dots, Bootstrap.median(micros.map { it.second }))
}

/** The median of steady forks alone with TLS, by that without it; clients with a treatment of which no fork was steady are named instead. */
private fun titleOf(groups: List<TreatmentTrials>): String {
    val clients = groups.groupBy { it.client }
    val times = clients.mapNotNull { (client, of) ->
        val (plain, secure) = listOf(Protocol.Http1, Protocol.Https1).map { protocol ->
            of.firstOrNull { it[Factor.PROTOCOL] == protocol.label && it.counted.isNotEmpty() }?.median(CPU)?.value
        }
        if (plain == null || secure == null) null else "$client ${Estimate.rounded(secure / plain)} times"
    }
    val restless = clients.filterValues { of -> of.any { it.counted.isEmpty() } }.keys
    return listOfNotNull(
        times.takeIf { it.isNotEmpty() }?.joinToString(prefix = "With TLS a request costs ", postfix = " the processor time"),
        restless.takeIf { it.isNotEmpty() }?.joinToString(" and ", postfix = " had too few steady forks"),
    ).joinToString("; ").ifEmpty { "No client here was measured with TLS and without it" }
}

private val TreatmentTrials.name: String get() = "$client, ${this[Factor.PROTOCOL]}"

private const val CPU = "requestCpuMs"
private const val STEADY = "steady forks"
private const val NOT_STEADY = "forks that were not steady"
private const val MICROS_PER_MS = 1e3
