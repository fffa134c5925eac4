package clientlab.articles.transfer

import clientlab.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.transfer.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows

/** Throughput of [operation] by means or client, the fastest first: each trial is a dot, with the median and its interval in front. */
public fun Trials<Transfer>.throughputChart(operation: String): Chart {
    val groups = transfers(operation, "throughputMiBs").sortedByDescending { it.median("throughputMiBs").value }
    val first = groups.firstOrNull()
    val last = groups.lastOrNull()
    val title =
        if (first == null || last == null || first === last) {
            "One means alone, so nothing to compare"
        } else {
            val times = Bootstrap.ratio(first.values("throughputMiBs"), last.values("throughputMiBs")).value
            "${last.mover} takes ${Estimate.rounded(times)} times as long as ${first.mover}"
        }
    return perMover(operation, groups, "throughputMiBs", title, NumberAxis("MiB a second"), "the fork's median iteration")
}

/** Bytes on the heap that a MiB costs, by means or client, on a logarithmic axis: the fewest first. */
public fun Trials<Transfer>.transferAllocationChart(operation: String): Chart =
    cost(operation, "allocatedBytesPerMiB", "bytes allocated for each MiB moved", "allocates", NumberScale.LOG10)

/** Processor time of the fork that a MiB costs, by means or client: the least first. */
public fun Trials<Transfer>.transferCpuChart(operation: String): Chart =
    cost(operation, "cpuSecondsPerMiB", "microseconds of processor time for each MiB moved", "takes", NumberScale.LINEAR, scale = 1e6)

private fun Trials<*>.cost(
    operation: String,
    metric: String,
    label: String,
    verb: String,
    axis: NumberScale,
    scale: Double = 1.0,
): Chart {
    val groups = transfers(operation, metric).sortedBy { it.median(metric).value }
    val least = groups.firstOrNull()
    val most = groups.lastOrNull()
    val title =
        if (least == null || most == null || least === most) {
            "One means alone, so nothing to compare"
        } else {
            val times = Bootstrap.ratio(most.values(metric), least.values(metric)).value
            "${most.mover} $verb ${Estimate.rounded(times)} times as much as ${least.mover}"
        }
    return perMover(operation, groups, metric, title, NumberAxis(label, axis), "all iterations together", scale)
}

/** Time of each iteration of [operation], the median over forks. It shows what is slow before the code is compiled, and what stays slow. */
public fun Trials<Transfer>.iterationChart(operation: String, vararg movers: String): Chart {
    val groups = transfers(operation, "iterationMedianMs").filter { movers.isEmpty() || it.mover in movers }
    val rows = groups.flatMap { group ->
        group.counted
            .flatMap { trial -> (trial["iterationTimes"] as AnyFrame).rows().map { (it["iteration"] as Int) to (it["ms"] as Double) } }
            .groupBy({ it.first }, { it.second })
            .map { (iteration, times) -> mapOf("mover" to group.mover, "iteration" to iteration, "ms" to Bootstrap.median(times).value) }
    }
    val warmed = groups.maxByOrNull { it.firstBySteady() }
    val title = warmed?.let {
        "The first iteration of ${it.mover} takes ${Estimate.rounded(it.firstBySteady())} times as long as its later ones"
    }
    val ends = rows.groupBy { it["mover"] }.values.map { line -> line.maxBy { it["iteration"] as Int } }
    val said = groups.joinToString("; ") {
        "${it.mover}: ${it.median("iterationFirstMs")} ms at first, ${it.median("iterationSteadyMs")} later"
    }
    return Chart(
        title = title ?: "No iteration was measured",
        subtitle = conditions(operation, groups, "each iteration the median over forks"),
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "${title ?: "No iteration"}. $said.",
        marks =
            listOf(
                Lines(ChartData.ofRows(rows), "iteration", "ms", series = "mover"),
                Labels(ChartData.ofRows(ends), "iteration", "ms", text = "mover", color = "mover", place = LabelPlace.END),
            ),
        x = NumberAxis(
            "iteration",
            zero = false,
            breaks = rows.map { it["iteration"] as Int }.distinct().filter { it == 1 || it % 5 == 0 },
        ),
        y = NumberAxis("ms for one transfer", NumberScale.LOG10),
    )
}

/** Throughput of [operation] at every measured size, one line per means. */
public fun Trials<Transfer>.throughputBySizeChart(operation: String): Chart {
    val groups = transfers(operation, "throughputMiBs")
    val rows =
        groups.map {
            mapOf("mover" to it.mover, "mebibytes" to it.mebibytes(), "value" to it.median("throughputMiBs").value)
        }
    val sizes = groups.map { it.mebibytes() }.distinct().sorted()
    val ends = rows.groupBy { it["mover"] }.values.map { line -> line.maxBy { it["mebibytes"] as Long } }
    val best = sizes.map { size -> groups.filter { it.mebibytes() == size }.maxBy { it.median("throughputMiBs").value }.mover }.distinct()
    val title = if (best.size == 1) "${best.single()} is the fastest at every size" else "Which is the fastest depends on the size"
    return Chart(
        title = title,
        subtitle = "$operation, median iteration",
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. ${groups.joinToString("; ") { "${it.mover} at ${it.mebibytes()} MiB: ${it.median("throughputMiBs")} MiB/s" }}.",
        marks =
            listOf(
                Lines(ChartData.ofRows(rows), "mebibytes", "value", series = "mover"),
                Points(ChartData.ofRows(rows), "mebibytes", "value", color = "mover"),
                Labels(ChartData.ofRows(ends), "mebibytes", "value", text = "mover", color = "mover", place = LabelPlace.END),
            ),
        x = NumberAxis("MiB of one transfer", NumberScale.LOG2, breaks = sizes),
        y = NumberAxis("MiB a second"),
    )
}

private fun Trials<*>.transfers(operation: String, metric: String): Measured =
    measured { it[Factor.OPERATION] == operation }.only { it.values(metric).isNotEmpty() }

private fun perMover(
    operation: String,
    groups: List<TreatmentTrials>,
    metric: String,
    title: String,
    axis: NumberAxis,
    what: String,
    scale: Double = 1.0,
): Chart {
    val trials = groups.flatMap { group -> group.dots(metric) { mapOf("mover" to group.mover, "value" to it * scale) } }
    val middles = groups.map { group -> group.mover to Bootstrap.median(group.values(metric).map { it * scale }) }
    val estimates =
        ChartData.ofRows(
            middles.map { (mover, it) ->
                mapOf("mover" to mover, "value" to it.value, "low" to it.low, "high" to it.high, "text" to Estimate.rounded(it.value))
            },
        )
    return Chart(
        title = title,
        subtitle = conditions(operation, groups, what),
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. ${middles.joinToString("; ") { (mover, value) -> "$mover: $value" }}, ${axis.label}.",
        marks = forksAndMedians(ChartData.ofRows(trials), estimates, "mover"),
        x = axis,
        y = CategoryAxis(groups.map { it.mover }),
    )
}

private fun TreatmentTrials.mebibytes(): Long = (number(Factor.BYTES) ?: 0) / MEBIBYTE

private fun TreatmentTrials.firstBySteady() = median("iterationFirstMs").value / median("iterationSteadyMs").value

private fun conditions(operation: String, groups: List<TreatmentTrials>, what: String): String {
    val sizes = groups.mapNotNull { it.number(Factor.BYTES) }.distinct().sorted().joinToString(" and ") { size ->
        if (size % MEBIBYTE == 0L) "${size / MEBIBYTE} MiB" else "$size bytes"
    }
    val times = groups
        .flatMap { it.values("iterations") }
        .distinct()
        .sorted()
        .joinToString(" or ", transform = Estimate::rounded)
    val atOnce = groups.map { it.inFlight }.maxOrNull() ?: 0
    val many = if (atOnce > 1) ", $atOnce at once" else ""
    return "${WORDS[operation] ?: operation}: $sizes, $times times over$many; $what"
}

private const val MEBIBYTE = 1L shl 20
private val WORDS =
    mapOf(
        "file-read" to "a file read from the page cache",
        "file-write" to "a file written into the page cache",
        "socket-write" to "a socket written to, on loopback",
        "pipeline" to "a file pushed through a socket, on loopback",
        "download" to "bodies downloaded over HTTP, on loopback",
        "upload" to "bodies uploaded over HTTP, on loopback",
    )
