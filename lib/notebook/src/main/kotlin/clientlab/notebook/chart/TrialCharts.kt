package clientlab.notebook.chart

import clientlab.notebook.frame.TreatmentTrials
import clientlab.notebook.frame.Trials
import clientlab.notebook.frame.byTreatment
import clientlab.notebook.frame.metric
import clientlab.notebook.stats.Bootstrap
import clientlab.notebook.stats.Estimate
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows
import kotlin.math.abs
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/** Platform threads held by requests, per client: every trial a dot, the median and its interval over forks in front. */
public fun Trials.threadChart(): Chart {
    val groups = measured()
    val holders = groups.filter { it.median("threadsBlocked").value >= 0.9 * it.held() }.map { it.client }.distinct()
    val others = groups.filter { it.client !in holders }.maxOfOrNull { it.median("threadsBlocked").value }
    val title =
        if (holders.isEmpty()) {
            "No client here holds a platform thread for each request"
        } else {
            "${named(holders)} ${if (holders.size == 1) "holds" else "hold"} a platform thread for each request"
        }
    val rest = others?.let { "; the others hold ${if (it == 0.0) "none" else "at most ${Estimate.rounded(it)}"}" }.orEmpty()
    return perClient(groups, "threadsBlocked", "platform threads held by requests, at the moment all are in flight", title, title + rest)
}

/** The count that source 000 reports, new threads that are not parked, per client. */
public fun Trials.parkRuleChart(): Chart {
    val groups = measured()
    val fooled =
        groups.filter { it.median("activeUnparkedNew").value < 0.5 * it.median("threadsBlocked").value }.map { it.client }.distinct()
    val title =
        if (fooled.isEmpty()) {
            "Here the article's rule counts what requests hold"
        } else {
            "The article's rule misses the threads that ${named(
                fooled,
            )} holds"
        }
    return perClient(groups, "activeUnparkedNew", "new threads that are not parked (the article's rule)", title, title)
}

/** Time from the first request sent to the last body read, in delays, per client. */
public fun Trials.timeChart(): Chart {
    val groups = measured()
    val slow = groups.filter { it.inDelays().value > SLOW }.map { "${it.client} at ${it.inFlight}" }
    val title =
        when {
            slow.isEmpty() -> "Every client needs about one delay"
            slow.size <= NAMED -> "${named(slow)} ${if (slow.size == 1) "needs" else "need"} more than $SLOW delays, the rest about one"
            else -> "${slow.size} of ${groups.size} treatments need more than $SLOW delays"
        }
    val rows = groups.flatMap { group ->
        group.dots("durationMs") { mapOf("client" to group.client, "level" to group.level(), "value" to it / group.delay()) }
    }
    val middles = groups.map { it to it.inDelays() }
    return chart(
        groups,
        title,
        "$title. ${middles.joinToString("; ") { (group, time) -> "${group.client} at ${group.inFlight}: $time" }}.",
        NumberAxis("time for all requests, in delays (1 = the server's own)", metric = "durationMs", unit = "delays"),
        trials = ChartData.ofRows(rows),
        estimates = ChartData.ofRows(middles.map { (group, time) -> group.row(time) }),
        behind = listOf(ReferenceLines.atX(1)),
    )
}

/** How far single trials lie from the median of their treatment, per client: what one fork may be off by. */
public fun Trials.varianceChart(): Chart {
    val groups = measured().filter { it.counted.size > 1 }
    val rows =
        groups.flatMap { group ->
            val middle = group.median("durationMs").value
            group.dots("durationMs") {
                mapOf("client" to group.client, "level" to group.level(), "value" to 100 * (it - middle) / middle)
            }
        }
    val farthest = rows.maxByOrNull { abs(it["value"] as Double) }
    val off = abs(farthest?.get("value") as Double? ?: 0.0)
    val title = if (farthest == null) {
        "One fork shows no variance"
    } else {
        "A single fork lies within ${Estimate.rounded(off)} % of the median of its kind"
    }
    return chart(
        groups,
        title,
        "$title; the farthest is one of ${farthest?.get("client")} at ${farthest?.get("level")}.",
        NumberAxis(
            "time against the treatment's median, in %",
            zero = false,
            breaks = aroundZero(off),
            metric = "durationMs",
            unit = "% from the median",
        ),
        trials = ChartData.ofRows(rows),
        estimates = null,
        behind = listOf(ReferenceLines.atX(0)),
    )
}

/** Three breaks that stay clear of the next panel's: zero, and the largest of 1, 2 or 5 times a power of ten well inside [most]. */
private fun aroundZero(most: Double): List<Number> {
    val inside = most * 0.8
    val power = 10.0.pow(floor(log10(inside.coerceAtLeast(1e-3))))
    val step = listOf(5, 2, 1).map { it * power }.first { it <= inside || it == power }
    return listOf(-step, 0.0, step)
}

/** New threads that are not parked, against the number of requests in flight: one line a client, both axes logarithmic. */
public fun Trials.threadsByInFlightChart(metric: String = "threadsUnparked"): Chart {
    val groups = measured().filter { !it.wave }
    val rows =
        groups.map { group ->
            val threads = group.median(metric)
            mapOf(
                "client" to group.client,
                "inFlight" to group.inFlight,
                "threads" to threads.value,
                "low" to threads.low,
                "high" to threads.high,
            )
        }
    val data = ChartData.ofRows(rows)
    val ends = rows.groupBy { it["client"] }.values.map { client -> client.maxBy { it["inFlight"] as Int } }
    val levels = groups.map { it.inFlight }.distinct().sorted()
    val growing = groups
        .groupBy { it.client }
        .filter { (_, levels) ->
            levels.size > 1 && levels.last().grows(levels.first(), metric)
        }.keys
        .toList()
    val title = if (growing.isEmpty()) {
        "No client's threads grow with the requests"
    } else {
        "Threads grow with the requests of ${named(
            growing,
        )}, and of no other client"
    }
    return Chart(
        title = title,
        subtitle = conditions(groups, levels),
        caption = groups.captionOfMedians(),
        alt = "$title. ${rows.joinToString(
            "; ",
        ) { "${it["client"]} at ${it["inFlight"]}: ${Estimate.rounded(it["threads"] as Double)}" }}.",
        marks =
            listOf(
                Lines(data, "inFlight", "threads", series = "client"),
                Points(data, "inFlight", "threads", color = "client"),
                Labels(ChartData.ofRows(ends), "inFlight", "threads", text = "client", color = "client", place = LabelPlace.END),
            ),
        x = NumberAxis("requests in flight", NumberScale.LOG10, breaks = levels),
        y = NumberAxis("new platform threads that are not parked", NumberScale.LOG10, metric = metric),
        runs = groups.runs(),
    )
}

/** Requests in flight over time, as the server saw them, of [clients] at [inFlight]: the middle trial of each. */
public fun Trials.inFlightChart(inFlight: Int, vararg clients: String): Chart {
    val groups = measured().filter { it.inFlight == inFlight && (clients.isEmpty() || it.client in clients) }
    val order = if (clients.isEmpty()) groups.map { it.client } else clients.filter { id -> groups.any { it.client == id } }
    val rows =
        groups.flatMap { group ->
            val middle = group.counted.sortedBy { it.metric("durationMs") }.getOrNull(group.counted.size / 2)
            val curve = middle?.get("serverCurve") as AnyFrame?
            curve
                ?.rows()
                ?.map {
                    mapOf(
                        "client" to group.client,
                        "atS" to (it["atMs"] as Double) / 1000,
                        "inFlight" to it["inFlight"],
                    )
                }.orEmpty()
        }
    val held = groups.joinToString("; ") {
        "${it.client} holds ${Estimate.rounded(it.median("inFlightPeak").value)} in flight and takes ${it.inDelays()} delays"
    }
    val waves = groups.filter { it.wave }.map { it.client }
    val title =
        if (waves.isEmpty()) {
            "All $inFlight requests are in flight at once"
        } else {
            "${named(
                waves,
            )} ${if (waves.size == 1) "sends" else "send"} $inFlight requests in waves"
        }
    return Chart(
        title = title,
        subtitle = conditions(groups, listOf(inFlight)) + ", as the server saw them",
        caption = groups.captionOfMedians() + "; the trial of middle time",
        alt = "$title. $held.",
        marks = listOf(Lines(ChartData.ofRows(rows), "atS", "inFlight", series = "client", steps = true)),
        x = NumberAxis("seconds since the first request arrived"),
        y = NumberAxis("requests in flight"),
        facets = Facets("client", order, columns = if (order.size > 3) 2 else 1),
        runs = groups.runs(),
    )
}

private fun perClient(groups: List<TreatmentTrials>, metric: String, label: String, title: String, alt: String): Chart {
    val trials = groups.flatMap { group ->
        group.dots(metric) { mapOf("client" to group.client, "level" to group.level(), "value" to it) }
    }
    val middles = groups.map { it to it.median(metric) }
    return chart(
        groups,
        title,
        "$alt. ${middles.joinToString("; ") { (group, value) -> "${group.client} at ${group.inFlight}: $value" }}.",
        NumberAxis(label, metric = metric),
        ChartData.ofRows(trials),
        ChartData.ofRows(middles.map { (group, value) -> group.row(value) }),
        values = true,
        free = true,
    )
}

/** Clients down the side, a panel for each level: dots for trials, an interval and a point for the estimate, and its value beside it. */
private fun chart(
    groups: List<TreatmentTrials>,
    title: String,
    alt: String,
    x: NumberAxis,
    trials: ChartData,
    estimates: ChartData?,
    behind: List<Mark> = emptyList(),
    values: Boolean = false,
    free: Boolean = false,
): Chart {
    val levels = groups.sortedBy { it.inFlight }.map { it.level() }.distinct()
    return Chart(
        title = title,
        subtitle = conditions(groups, groups.map { it.inFlight }.distinct().sorted()),
        caption = groups.captionOfMedians(),
        alt = alt,
        marks = behind + forksAndMedians(trials, estimates, "client", text = "text".takeIf { values }),
        x = x,
        y = CategoryAxis(groups.map { it.client }.distinct()),
        facets = Facets("level", levels, free = free).takeIf { levels.size > 1 },
        runs = groups.runs(),
    )
}

private fun Trials.measured(): List<TreatmentTrials> = byTreatment().filter { it.counted.isNotEmpty() }

private fun TreatmentTrials.row(estimate: Estimate): Map<String, Any?> =
    mapOf(
        "client" to client,
        "level" to level(),
        "value" to estimate.value,
        "low" to estimate.low,
        "high" to estimate.high,
        "text" to Estimate.rounded(estimate.value) + if (wave) " (in waves of ${Estimate.rounded(median("inFlightPeak").value)})" else "",
    )

private fun TreatmentTrials.level() = "$inFlight requests" + if (start == "warm") "" else ", $start"

/** How many were in flight when the threads were counted. */
private fun TreatmentTrials.held() = median("inFlightPeak").value

private fun TreatmentTrials.delay() = counted.firstNotNullOf { it.metric("delayMs") }

private fun TreatmentTrials.inDelays(): Estimate = Bootstrap.median(values("durationMs").map { it / delay() })

private fun TreatmentTrials.grows(from: TreatmentTrials, metric: String) =
    median(metric).value >= maxOf(2 * from.median(metric).value, from.median(metric).value + GROWTH)

private fun conditions(groups: List<TreatmentTrials>, levels: List<Int>): String {
    val delay = groups.firstOrNull()?.delay() ?: return ""
    return "${named(levels.map { it.toString() })} requests sent at once, each answered after ${Estimate.rounded(delay / 1000)} s"
}

private fun named(names: List<String>): String =
    if (names.size < 2) names.joinToString() else "${names.dropLast(1).joinToString()} and ${names.last()}"

private const val SLOW = 1.5
private const val NAMED = 2
private const val GROWTH = 20.0
