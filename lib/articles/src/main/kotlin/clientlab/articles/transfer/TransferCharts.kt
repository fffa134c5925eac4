package clientlab.articles.transfer

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.transfer.*

/** Throughput of [operation] by means or client, the fastest first: each trial is a dot, with the median and its interval in front. */
public fun Trials<Transfer>.throughputChart(operation: String): Chart {
    val groups = transfers(operation, "throughputMiBs").sortedByDescending { it.median("throughputMiBs").value }
    val title =
        compared(groups, "throughputMiBs") { times -> "${groups.last().mover} takes $times times as long as ${groups.first().mover}" }
    return perMover(operation, groups, "throughputMiBs", title, NumberAxis("MiB a second"), "the fork's median iteration")
}

/** Bytes on the heap that a MiB costs, by means or client, on a logarithmic axis: the fewest first. */
public fun Trials<Transfer>.transferAllocationChart(operation: String): Chart =
    cost(operation, "allocatedBytesPerMiB", "allocates", NumberAxis("bytes allocated for each MiB moved", NumberScale.LOG10))

/** How much processor time the fork takes to move one MiB, by means or client. The cheapest comes first. */
public fun Trials<Transfer>.transferCpuChart(operation: String): Chart =
    cost(operation, "cpuSecondsPerMiB", "takes", NumberAxis("microseconds of processor time for each MiB moved"), scale = 1e6)

private fun Trials<*>.cost(operation: String, metric: String, verb: String, axis: NumberAxis, scale: Double = 1.0): Chart {
    val groups = transfers(operation, metric).sortedBy { it.median(metric).value }
    val title = compared(groups.asReversed(), metric) { times ->
        "${groups.last().mover} $verb $times times as much as ${groups.first().mover}"
    }
    return perMover(operation, groups, metric, title, axis, "all iterations together", scale)
}

/** A title about the ratio of the largest [metric] to the smallest, the largest first. */
private fun compared(groups: List<TreatmentTrials>, metric: String, title: (times: String) -> String): String {
    if (groups.size < 2) return "One means alone, so nothing to compare"
    return title(Estimate.rounded(Bootstrap.ratio(groups.first().values(metric), groups.last().values(metric)).value))
}

/** Time of each iteration of [operation], the median over forks. It shows what is slow before the code is compiled, and what stays slow. */
public fun Trials<Transfer>.iterationChart(operation: String, vararg movers: String): Chart {
    val groups = transfers(operation, "iterationMedianMs").filter { movers.isEmpty() || it.mover in movers }
    val rows = groups.flatMap { group ->
        group.counted
            .flatMap { it.table("iterationTimes") }
            .groupBy({ it["iteration"] as Int }, { it["ms"] as Double })
            .map { (iteration, times) -> mapOf("mover" to group.mover, "iteration" to iteration, "ms" to Bootstrap.median(times).value) }
    }
    val warmed = groups.maxByOrNull { it.firstBySteady() }
    val title = warmed?.let {
        "The first iteration of ${it.mover} takes ${Estimate.rounded(it.firstBySteady())} times as long as its later ones"
    }
    val said = groups.joinToString("; ") {
        "${it.mover}: ${it.median("iterationFirstMs")} ms at first, ${it.median("iterationSteadyMs")} later"
    }
    return Chart(
        title = title ?: "No iteration was measured",
        subtitle = conditions(operation, groups, "each iteration the median over forks"),
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "${title ?: "No iteration"}. $said.",
        marks = listOf(
            Lines(ChartData.ofRows(rows), "iteration", "ms", series = "mover"),
            endLabels(rows.ends("iteration", "mover"), "iteration", "ms", "mover"),
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
    val rows = groups.map { mapOf("mover" to it.mover, "mebibytes" to it.mebibytes(), "value" to it.median("throughputMiBs").value) }
    val sizes = groups.map { it.mebibytes() }.distinct().sorted()
    val best = sizes.map { size -> groups.filter { it.mebibytes() == size }.maxBy { it.median("throughputMiBs").value }.mover }.distinct()
    val title = if (best.size == 1) "${best.single()} is the fastest at every size" else "Which is the fastest depends on the size"
    return Chart(
        title = title,
        subtitle = "$operation, median iteration",
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. ${groups.joinToString("; ") { "${it.mover} at ${it.mebibytes()} MiB: ${it.median("throughputMiBs")} MiB/s" }}.",
        marks = listOf(
            Lines(ChartData.ofRows(rows), "mebibytes", "value", series = "mover"),
            Points(ChartData.ofRows(rows), "mebibytes", "value", color = "mover"),
            endLabels(rows.ends("mebibytes", "mover"), "mebibytes", "value", "mover"),
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
    val rows = groups.map { it.forkRow(mapOf("mover" to it.mover), metric, scale) }
    return forkPanels(title, conditions(operation, groups, what), groups, rows, axis, null, "mover", order = groups.map { it.mover })
        .copy(alt = "$title. ${rows.joinToString("; ") { "${it.cells["mover"]}: ${it.median}" }}, ${axis.label}.")
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
    val atOnce = groups.maxOfOrNull { it.inFlight } ?: 0
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
