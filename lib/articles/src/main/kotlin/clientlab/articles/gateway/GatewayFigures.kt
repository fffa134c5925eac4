package clientlab.articles.gateway

import clientlab.*
import clientlab.articles.*
import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.gatewayload.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import kotlin.math.abs

/** The share of requests that each gateway answered, a panel for each rate: dots are forks. */
public fun Trials<GatewayLoad>.gatewayChart(): Chart {
    val groups = loaded()
    val fallen = groups.filter { it.median("answeredShare").value < ALL }.map { it.client }.distinct()
    val title = when {
        fallen.isEmpty() -> "Every gateway${groups.measuredHere} answers every request"
        else -> "Gateways of ${listed(fallen)} do not answer all requests"
    }
    val rows = groups.map { group ->
        group.forkRow(group.cells(group.client, group.load()), group.values("answeredShare").map { it * 100 })
    }
    val axis = NumberAxis("requests answered before their caller gave up, in %", breaks = listOf(0, 50, 100))
    val panels = groups.map { it.load() }.distinct()
    return forkPanels(title, conditions(groups), groups, rows, axis, Facets("panel", panels).takeIf { panels.size > 1 }, "name", "client")
}

/** The cost of a gateway that survives: its threads, its memory, and its processor time per request, young and steady where both are here. */
public fun Trials<GatewayLoad>.gatewayCostChart(): Chart {
    val groups = loaded().only { it.median("answeredShare").value >= ALL }
    val least = groups.minByOrNull { it.median("requestCpuMs").value }
    val rates = groups.mapNotNull { it[Factor.RATE] }.distinct()
    val ages = groups.map { it.start }.distinct()
    val name = least?.let { (if (ages.size > 1) "${it.start} " else "") + it.client } ?: "none"
    return several(groups, COSTS, "Of the gateways that answer all, $name takes the least processor time") { group ->
        group.client + (if (rates.size > 1) ", ${group[Factor.RATE]}/s" else "") + if (ages.size > 1) ", ${group.start}" else ""
    }
}

/** Many fast calls: requests per second, processor time and allocated bytes per request, per client. */
public fun Trials<ClosedLoop>.fastChart(): Chart {
    val groups = measured { it[Factor.TASKS] != null }
    val fastest = groups.maxByOrNull { it.median("requestsPerSecond").value }
    return several(groups, FAST, "${fastest?.client ?: "no client"} answers the most fast calls in a second") { it.client }
}

/** Threads and time of bursts with and without background tasks, per client. */
public fun Trials<Burst>.besideChart(): Chart {
    val groups = measured { it[Factor.BACKGROUND] != null }
    val more = groups.groupBy { it.client }.map { (client, levels) ->
        fun threads(beside: String) = levels.firstOrNull { it[Factor.BACKGROUND] == beside }?.median("activeNew")?.value ?: Double.NaN
        "$client has ${threadsMore(threads("idle-io") - threads("none"))}"
    }
    return several(groups, BESIDE, "Beside the tasks, ${listed(more)}") {
        "${it.client}, ${if (it[Factor.BACKGROUND] == "none") "alone" else "beside tasks"}"
    }
}

private fun threadsMore(value: Double): String {
    val many = Estimate.rounded(abs(value))
    return when {
        value.isNaN() -> "threads unknown"
        many == "0" -> "no thread more"
        else -> "$many thread${if (many == "1") "" else "s"} ${if (value > 0) "more" else "fewer"}"
    }
}

private fun several(
    groups: List<TreatmentTrials>,
    panels: Map<String, (TreatmentTrials) -> List<Double>>,
    title: String,
    name: (TreatmentTrials) -> String,
): Chart {
    val rows = groups.flatMap { group -> panels.map { (panel, values) -> group.forkRow(group.cells(name(group), panel), values(group)) } }
    val facets = Facets("panel", panels.keys.toList(), free = true)
    return forkPanels(title, conditions(groups), groups, rows, NumberAxis(), facets, "name", "client")
}

private fun TreatmentTrials.cells(name: String, panel: String) = mapOf("client" to client, "name" to name, "panel" to panel)

private fun TreatmentTrials.load() = "${number(Factor.RATE)} a second, ${number(Factor.MEMORY_MIB)} MiB"

private const val ALL = 0.999

private val COSTS: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "threads" to { it.values("osThreadsPeak") },
        "memory, peak in MiB" to { group -> group.values("anonPeakBytes").map { it / MIB } },
        "processor time, ms a request" to { it.values("requestCpuMs") },
    )

private val FAST: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "requests a second" to { it.values("requestsPerSecond") },
        "processor time, ms a request" to { it.values("requestCpuMs") },
        "allocated, kB a request" to { group -> group.values("requestAllocatedBytes").map { it / MS } },
    )

private val BESIDE: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "new active threads" to { it.values("activeNew") },
        "new threads, not parked" to { it.values("activeUnparkedNew") },
        "time in delays" to { group -> group.values("durationMs").map { it / (group.number(Factor.DELAY_MS) ?: 1) } },
    )
