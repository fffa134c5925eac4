package clientlab.articles.loom

import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*

/**
 * Time for all tasks against the server's delay: one line per executor with its interval over forks, and a panel each for one and for two
 * calls.
 */
public fun Trials<Tasks>.delayChart(): Chart {
    val groups = timed()
    val executors = groups.map { it.executor }.distinct().sortedBy { ExecutorOrder.of(it) }
    val rows = groups.map { group ->
        val time = group.seconds()
        mapOf(
            "executor" to group.executor,
            "panel" to group.panel(),
            "delay" to group.delayMs,
            "seconds" to time.value,
            "low" to time.low,
            "high" to time.high,
        )
    }
    val data = ChartData.ofRows(rows)
    val ends = rows.groupBy { it["executor"] to it["panel"] }.values.map { line -> line.maxBy { it["delay"] as Int } }
    val panels = groups.map { it.panel() }.distinct()
    val title = crossoverTitle(crossoverRounds(), executors)
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. " + rows.joinToString("; ") {
            "${it["executor"]}, ${it["panel"]}, ${it["delay"]} ms: ${Estimate.rounded(it["seconds"] as Double)} s"
        } + ".",
        marks = listOf(
            Lines(data, "delay", "seconds", series = "executor"),
            Intervals(data, "delay", "seconds", "low", "high", color = "executor"),
            Points(data, "delay", "seconds", color = "executor"),
            Labels(ChartData.ofRows(ends), "delay", "seconds", text = "executor", color = "executor", place = LabelPlace.END),
        ),
        x = NumberAxis("the server's delay, in ms", breaks = groups.map { it.delayMs }.distinct().sorted()),
        y = NumberAxis("seconds for all tasks"),
        facets = Facets("panel", panels).takeIf { panels.size > 1 },
    )
}

/** The control experiment: each limit as a pool of platform threads and as a semaphore before virtual threads, compared with no limit. */
public fun Trials<Tasks>.controlChart(): Chart {
    val groups = timed()
    val pairs = groups.mapNotNull { pool -> pool.limitedLike(groups)?.let { limited -> paired(limited, pool) } }
    val farthest = pairs.maxByOrNull { kotlin.math.abs(it.value - 1) }
    val title = when {
        farthest == null -> slowest(groups)
        kotlin.math.abs(farthest.value - 1) <= ALIKE -> "The limit makes the time, and not the kind of thread behind it"
        else -> "At the same limit, virtual threads take ${Estimate.rounded(farthest.value)} times the pool's time where they differ most"
    }
    return perExecutor(groups, title, NumberAxis("seconds for all tasks")) { group -> group.values("durationMs").map { it / 1e3 } }
}

/** The share of all processors that was in use, per executor. */
public fun Trials<Tasks>.saturationChart(): Chart {
    val groups = timed()
    val full = groups.filter { Bootstrap.median(it.busy()).value >= FULL }.map { it.executor }.distinct()
    val title = when {
        groups.all { it.busy().isEmpty() } -> "Nobody said what processor time was used"
        full.isEmpty() -> "No executor keeps the processors busy here"
        else -> "The processors are what is used up: ${listed(full)} ${if (full.size == 1) "keeps" else "keep"} them busy"
    }
    val axis = NumberAxis("share of all processors in use while the tasks ran", breaks = listOf(0, 0.25, 0.5, 0.75, 1))
    return perExecutor(groups, title, axis, listOf(ReferenceLines.atX(1))) { it.busy() }
}

/** Executors on the vertical axis, one panel per level: trials as dots, in front the median with its interval and its value. */
private fun perExecutor(
    groups: List<TreatmentTrials>,
    title: String,
    x: NumberAxis,
    behind: List<Mark> = emptyList(),
    values: (TreatmentTrials) -> List<Double>,
): Chart {
    val panels = groups.map { it.level(groups) }.distinct()
    val trials = groups.flatMap { group ->
        group.dots(values(group)) { mapOf("executor" to group.executor, "panel" to group.level(groups), "value" to it) }
    }
    val middles = groups.map { group ->
        val middle = Bootstrap.median(values(group))
        mapOf(
            "executor" to group.executor,
            "panel" to group.level(groups),
            "value" to middle.value,
            "low" to middle.low,
            "high" to middle.high,
            "text" to Estimate.rounded(middle.value),
        )
    }
    return Chart(
        title = title,
        subtitle = conditions(groups),
        caption = groups.captionOfMedians(),
        runs = groups.runs(),
        alt = "$title. " + middles.joinToString("; ") { "${it["executor"]}, ${it["panel"]}: ${it["text"]}" } + ".",
        marks = behind +
            forksAndMedians(ChartData.ofRows(trials), ChartData.ofRows(middles), "executor"),
        x = x,
        y = CategoryAxis(groups.map { it.executor }.distinct().sortedBy { ExecutorOrder.of(it) }),
        facets = Facets("panel", panels, columns = if (panels.size > 3) 2 else null, free = x.breaks == null).takeIf { panels.size > 1 },
    )
}

private fun crossoverTitle(rounds: List<CrossoverRound>, executors: List<String>): String {
    val parts = rounds.sortedBy { ExecutorOrder.of(it.pool) }.groupBy { it.pool to it.calls }.map { (key, group) ->
        val (pool, calls) = key
        val called = if (calls == 1) "1 call" else "$calls calls"
        val against = if (executors.count { it.startsWith("pool-") } > 1) " against $pool" else ""
        val at = group.crossover()
        when {
            group.all { it.below } -> "at every delay with $called$against"
            group.all { it.above } -> "at no delay with $called$against"
            else -> "from ${hundredths(at.value)} ms with $called$against"
        }
    }
    return if (parts.isEmpty()) "Time against delay, by executor" else "Virtual threads win ${listed(parts)}"
}

/** A crossover is interpolated between delays a millisecond apart, so more digits would mean nothing. */
private fun hundredths(ms: Double): String = "%.2f".format(java.util.Locale.ROOT, ms)

private fun slowest(groups: List<TreatmentTrials>): String {
    val times = groups.associateWith { it.seconds().value }.filterValues { !it.isNaN() }
    val (slow, most) = times.maxByOrNull { it.value } ?: return "Nothing was measured"
    val (fast, least) = times.minBy { it.value }
    return "${slow.executor} takes ${Estimate.rounded(most / least)} times as long as ${fast.executor}"
}

/** The trials whose times count: those without Flight Recorder. */
private fun Trials<*>.timed(): Measured = taskGroups().filter { !it.recorded && it.asItComes }.measured()

private fun TreatmentTrials.seconds(): Estimate = Bootstrap.median(values("durationMs").map { it / 1e3 })

private fun TreatmentTrials.panel() = if (calls == 1) "1 call a task" else "$calls calls a task"

/** The title of a panel: what differs between [groups]. */
private fun TreatmentTrials.level(groups: List<TreatmentTrials>): String {
    val parts = listOfNotNull(
        "%,d tasks".format(java.util.Locale.ROOT, tasks).takeIf { groups.map { it.tasks }.distinct().size > 1 },
        panel().takeIf { groups.map { it.calls }.distinct().size > 1 },
        "$delayMs ms of delay".takeIf { groups.map { it.delayMs }.distinct().size > 1 },
    )
    return parts.joinToString().ifEmpty { "$delayMs ms of delay" }
}

private fun TreatmentTrials.limitedLike(groups: List<TreatmentTrials>): TreatmentTrials? =
    groups.firstOrNull {
        it.executor == "virtual-limited-${executor.removePrefix("pool-")}" && it.tasks == tasks && it.calls == calls &&
            it.delayMs == delayMs
    }

private fun paired(limited: TreatmentTrials, pool: TreatmentTrials) = Bootstrap.ratio(
    limited.values("durationMs"),
    pool.values("durationMs"),
)

private fun conditions(groups: List<TreatmentTrials>): String {
    val tasks = groups.map { it.tasks }.distinct().map { "%,d".format(java.util.Locale.ROOT, it) }
    val calls = groups.map { it.calls }.distinct()
    val delays = groups
        .map { it.delayMs }
        .distinct()
        .sorted()
        .map { "$it" }
    val processors = groups
        .flatMap { it.rows }
        .mapNotNull { it.metric("processors") }
        .distinct()
        .map { Estimate.rounded(it) }
    val each = if (calls == listOf(1)) "1 call" else "${listed(calls.map { "$it" })} calls"
    return "${listed(tasks)} tasks of $each, delay ${listed(delays)} ms; ${listed(processors)} processors for client and server"
}

/** Times that differ by less count as equal, and a larger share of busy processors counts as busy. */
private const val ALIKE = 0.15
private const val FULL = 0.85
