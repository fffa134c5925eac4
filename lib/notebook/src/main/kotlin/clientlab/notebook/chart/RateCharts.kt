package clientlab.notebook.chart

import clientlab.Factor
import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.metric
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows

/** The share of requests that each gateway answered, a panel for each rate: dots are forks. */
public fun Trials.gatewayChart(): Chart {
    val groups = loaded()
    val fallen = groups.filter { it.median("answeredShare").value < ALL }.map { it.client }.distinct()
    val title =
        if (fallen.isEmpty()) {
            "Every gateway${groups.measuredHere} answers every request"
        } else {
            "Gateways of ${listed(
                fallen,
            )} do not answer all requests"
        }
    return panelled(
        groups,
        groups.map { it.rateWords() }.distinct(),
        { it.rateWords() },
        { group -> group.values("answeredShare").map { it * PERCENT } },
        title,
        NumberAxis("requests answered before their caller gave up, in %", breaks = listOf(0, 50, 100)),
        free = false,
    )
}

/** What a gateway takes while all is well: its threads, its memory and its processor time for a request; only those that survive. */
public fun Trials.gatewayCostChart(): Chart {
    val groups = loaded().only { it.median("answeredShare").value >= ALL }
    val least = groups.minByOrNull { it.median("requestCpuMs").value }
    val title = "Of the gateways that answer all, ${least?.client ?: "none"} takes the least processor time"
    return several(groups, COSTS, title)
}

/** Memory of the gateways over time, against what they may have: the middle fork of each, to the moment at which it ended. */
public fun Trials.gatewayMemoryChart(vararg clients: String): Chart {
    val groups = loaded { clients.isEmpty() || it.client in clients }
    val limits = groups.mapNotNull { it.number(Factor.MEMORY_MIB) }.distinct()
    val rows =
        groups.flatMap { group ->
            val middle = group.counted.sortedBy { it.metric("anonPeakBytes") }.getOrNull(group.counted.size / 2)
            (middle?.get("memoryCurve") as AnyFrame?)
                ?.rows()
                ?.map {
                    mapOf("client" to group.client, "atS" to (it["atMs"] as Double) / MS, "memory" to it["memoryMiB"])
                }.orEmpty()
        }
    val ended = groups.filter { group -> group.values("gatewayEnded").any { it > 0 } }.map { it.client }.distinct()
    val title =
        if (ended.isEmpty()) {
            "Every gateway${groups.measuredHere} stays below its limit"
        } else {
            "${listed(
                ended,
            )} ${if (ended.size == 1) "runs" else "run"} out of memory"
        }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians() + "; the fork of middle memory",
        alt = "$title. ${groups.joinToString("; ") { "${it.client}: peak ${mebibytes(it)} MiB" }}.",
        marks =
            limits.map { ReferenceLines.atY(it, "the limit, $it MiB") } +
                Lines(ChartData.ofRows(rows), "atS", "memory", series = "client"),
        x = NumberAxis("seconds since the load began"),
        y = NumberAxis("memory of the gateway that no file backs, in MiB"),
        legend = Legend.RIGHT,
    )
}

/** Latency of requests by when they were planned: from that time, and from when they were really sent, which hides the wait before. */
public fun Trials.omissionChart(): Chart {
    val group = loaded().firstOrNull { it.inFlight > 0 } ?: loaded().first()
    val middle = group.counted.sortedBy { it.metric("latencyP99Ms") }.getOrNull(group.counted.size / 2)

    fun rows(curve: String, column: String, series: String) =
        (middle?.get(curve) as AnyFrame?)
            ?.rows()
            ?.map {
                mapOf("series" to series, "atS" to (it["atMs"] as Double) / MS, "seconds" to (it[column] as Int) / MS)
            }.orEmpty()

    val rows = rows("latencyCurve", "latencyAtMs", PLANNED) + rows("sentLatencyCurve", "sentLatencyAtMs", SENT)
    val right = group.median("latencyP99Ms")
    val wrong = group.median("sentLatencyP99Ms")
    val title =
        "99 % took at most ${seconds(wrong.value)} s from when they were sent, and ${seconds(right.value)} s from when they were planned"
    return Chart(
        title = title,
        subtitle = conditions(listOf(group)) + ", by ${group.inFlight} callers that wait for their answers",
        caption =
            listOf(group).captionOfMedians() +
                "; the longest of requests planned together, answered ones alone, of the fork of middle latency",
        alt = "$title. Of ${group.client}.",
        marks =
            listOf(
                Lines(ChartData.ofRows(rows), "atS", "seconds", series = "series"),
                Labels(
                    ChartData.ofRows(rows.groupBy { it["series"] }.values.map { it.last() }),
                    "atS",
                    "seconds",
                    text = "series",
                    color = "series",
                    place = LabelPlace.END,
                ),
            ),
        x = NumberAxis("when the request was planned, in seconds since the load began"),
        y = NumberAxis("latency in seconds"),
    )
}

/** Many fast calls: requests a second, processor time and bytes allocated for each, per client. */
public fun Trials.fastChart(): Chart {
    val groups = measured { it[Factor.TASKS] != null }
    val fastest = groups.maxByOrNull { it.median("requestsPerSecond").value }
    return several(groups, FAST, "${fastest?.client ?: "no client"} answers the most fast calls in a second")
}

/** Threads and time of bursts with tasks beside them and without, per client. */
public fun Trials.besideChart(): Chart {
    val groups = measured { it[Factor.BACKGROUND] != null }
    val more =
        groups.groupBy { it.client }.mapValues { (_, levels) ->
            fun threads(beside: String) = levels.firstOrNull { it[Factor.BACKGROUND] == beside }?.median("activeNew")?.value
            (threads("idle-io") ?: Double.NaN) - (threads("none") ?: Double.NaN)
        }
    val title = "Beside the tasks, ${listed(more.map { (client, threads) -> "$client has ${threadsMore(threads)}" })}"
    return several(groups, BESIDE, title) { "${it.client}, ${if (it[Factor.BACKGROUND] == "none") "alone" else "beside tasks"}" }
}

private fun several(
    groups: List<TreatmentTrials>,
    what: Map<String, (TreatmentTrials) -> List<Double>>,
    title: String,
    name: (TreatmentTrials) -> String = { it.client + it.rateMark(groups) },
): Chart {
    val trials = groups.flatMap { group -> what.flatMap { (panel, values) -> values(group).map { row(group, name(group), panel, it) } } }
    val middles = groups.flatMap { group -> what.map { (panel, values) -> middle(group, name(group), panel, values(group)) } }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians(),
        alt = "$title. ${middles.joinToString("; ") { "${it["name"]}, ${it["panel"]}: ${it["text"]}" }}.",
        marks = forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "name", color = "client"),
        x = NumberAxis(),
        y = CategoryAxis(groups.map(name).distinct()),
        facets = Facets("panel", what.keys.toList(), free = true),
    )
}

private fun panelled(
    groups: List<TreatmentTrials>,
    panels: List<String>,
    panel: (TreatmentTrials) -> String,
    values: (TreatmentTrials) -> List<Double>,
    title: String,
    axis: NumberAxis,
    free: Boolean,
): Chart {
    val trials = groups.flatMap { group -> values(group).map { row(group, group.client, panel(group), it) } }
    val middles = groups.map { middle(it, it.client, panel(it), values(it)) }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians(),
        alt = "$title. ${middles.joinToString("; ") { "${it["name"]}, ${it["panel"]}: ${it["text"]}" }}.",
        marks = forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "name", color = "client"),
        x = axis,
        y = CategoryAxis(groups.map { it.client }.distinct()),
        facets = Facets("panel", panels, free = free).takeIf { panels.size > 1 },
    )
}

private fun row(group: TreatmentTrials, name: String, panel: String, value: Double) =
    mapOf("client" to group.client, "name" to name, "panel" to panel, "value" to value)

private fun middle(group: TreatmentTrials, name: String, panel: String, values: List<Double>): Map<String, Any?> {
    val estimate = Bootstrap.median(values)
    return row(group, name, panel, estimate.value) +
        mapOf("low" to estimate.low, "high" to estimate.high, "text" to Estimate.rounded(estimate.value))
}

private fun Trials.loaded(where: (TreatmentTrials) -> Boolean = { true }): Measured = measured { it[Factor.RATE] != null && where(it) }

private fun TreatmentTrials.rateWords() = "${number(Factor.RATE)} a second, ${number(Factor.MEMORY_MIB)} MiB"

private fun TreatmentTrials.rateMark(all: List<TreatmentTrials>): String {
    val several = all.mapNotNull { it[Factor.RATE] }.distinct().size > 1
    return if (several) ", ${get(Factor.RATE)}/s" else ""
}

private fun mebibytes(group: TreatmentTrials) = Estimate.rounded(group.median("anonPeakBytes").value / MIB)

private fun seconds(ms: Double) = Estimate.rounded(ms / MS)

private fun threadsMore(value: Double): String {
    val many = Estimate.rounded(kotlin.math.abs(value))
    return when {
        value.isNaN() -> "threads unknown"
        many == "0" -> "no thread more"
        else -> "$many thread${if (many == "1") "" else "s"} ${if (value > 0) "more" else "fewer"}"
    }
}

private fun conditions(groups: List<TreatmentTrials>): String {
    val first = groups.firstOrNull() ?: return ""

    fun levels(factor: String) = listed(
        groups
            .mapNotNull { it.number(factor) }
            .distinct()
            .sorted()
            .map { "%,d".format(java.util.Locale.ROOT, it) },
    )
    val delay = (first.number(Factor.DELAY_MS) ?: 0) / MS
    val answered = if (delay == 0.0) "answered at once" else "answered after ${Estimate.rounded(delay)} s"
    return when {
        first[Factor.RATE] != null -> {
            "${levels(Factor.RATE)} requests a second for ${levels(Factor.SECONDS)} s, each $answered; " +
                "a gateway of ${levels(Factor.MEMORY_MIB)} MiB"
        }

        first[Factor.TASKS] != null -> {
            "${levels(Factor.TASKS)} requests, ${levels(Factor.IN_FLIGHT)} in flight, $answered"
        }

        else -> {
            "${levels(Factor.IN_FLIGHT)} requests sent at once, each $answered"
        }
    }
}

private fun listed(names: List<String>): String =
    if (names.size < 2) names.joinToString() else "${names.dropLast(1).joinToString()} and ${names.last()}"

private const val PLANNED = "from the planned time"
private const val SENT = "from the sending"
private const val ALL = 0.999
private const val PERCENT = 100
private const val MS = 1000.0
private const val MIB = 1_048_576.0

private val COSTS: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "threads" to { group -> group.values("osThreadsPeak") },
        "memory, peak in MiB" to { group -> group.values("anonPeakBytes").map { it / MIB } },
        "processor time, ms a request" to { group -> group.values("requestCpuMs") },
    )

private val FAST: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "requests a second" to { group -> group.values("requestsPerSecond") },
        "processor time, ms a request" to { group -> group.values("requestCpuMs") },
        "allocated, kB a request" to { group -> group.values("requestAllocatedBytes").map { it / MS } },
    )

private val BESIDE: Map<String, (TreatmentTrials) -> List<Double>> =
    mapOf(
        "new active threads" to { group -> group.values("activeNew") },
        "new threads, not parked" to { group -> group.values("activeUnparkedNew") },
        "time in delays" to { group ->
            group.values("durationMs").map { it / (group.number(Factor.DELAY_MS) ?: 1) }
        },
    )
