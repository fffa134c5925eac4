package clientlab.articles.loom

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.figure.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.tasks.*
import java.util.Locale
import kotlin.math.abs

/** Time for all tasks against the server's delay: one line per executor with its interval, a panel each for one and two calls. */
public fun Trials<Tasks>.delayChart(): Chart {
    val groups = timed()
    val executors = groups.map { it.executor }.distinct().sortedBy { ExecutorOrder.of(it) }
    val rows = groups.map { group ->
        mapOf("executor" to group.executor, "panel" to group.panel(groups), "delay" to group.delayMs) + group.seconds().cells("seconds")
    }
    val data = ChartData.ofRows(rows)
    val panels = groups.map { it.panel(groups) }.distinct()
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
            endLabels(rows.ends("delay", "executor", "panel"), "delay", "seconds", "executor"),
        ),
        x = NumberAxis("the server's delay, in ms", breaks = groups.map { it.delayMs }.distinct().sorted()),
        y = NumberAxis("seconds for all tasks"),
        facets = Facets("panel", panels).takeIf { panels.size > 1 },
    )
}

/** The control experiment: each limit as a pool of platform threads and as a semaphore before virtual threads, compared with no limit. */
public fun Trials<Tasks>.controlChart(): Chart {
    val groups = timed()
    val ratios = groups.mapNotNull { pool ->
        pool.limitedLike(groups)?.let { Bootstrap.ratio(it.values("durationMs"), pool.values("durationMs")).value }
    }
    val farthest = ratios.maxByOrNull { abs(it - 1) }
    val title = when {
        farthest == null -> slowest(groups)
        abs(farthest - 1) <= ALIKE -> "The limit makes the time, and not the kind of thread behind it"
        else -> "At the same limit, virtual threads take ${Estimate.rounded(farthest)} times the pool's time where they differ most"
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
    return perExecutor(groups, title, axis) { it.busy() }.let { it.copy(marks = listOf(ReferenceLines.atX(1)) + it.marks) }
}

/** Executors on the vertical axis, one panel per level. */
private fun perExecutor(groups: List<TreatmentTrials>, title: String, x: NumberAxis, values: (TreatmentTrials) -> List<Double>): Chart {
    val rows = groups.map { it.forkRow(mapOf("executor" to it.executor, "panel" to it.level(groups)), values(it)) }
    val panels = groups.map { it.level(groups) }.distinct()
    val facets = Facets("panel", panels, columns = if (panels.size > 3) 2 else null, free = x.breaks == null).takeIf { panels.size > 1 }
    val order = groups.map { it.executor }.distinct().sortedBy { ExecutorOrder.of(it) }
    return forkPanels(title, conditions(groups), groups, rows, x, facets, "executor", order = order)
}

private fun crossoverTitle(rounds: List<CrossoverRound>, executors: List<String>): String {
    val ages = rounds.map { it.start }.distinct().size
    // A group with more gaps than crossovers has no part in the title.
    val told = rounds
        .groupBy { Triple(it.pool, it.calls, it.start) }
        .values
        .filter { group -> group.count { it.atMs != null } * 2 >= group.size }
        .flatten()
        .filter { it.atMs != null }
    val parts = told.sortedBy { ExecutorOrder.of(it.pool) }.groupBy { Triple(it.pool, it.calls, it.start) }.map { (key, group) ->
        val (pool, calls, start) = key
        val age = if (ages > 1) " in ${if (start == Start.Steady.label) "steady" else "young"} forks" else ""
        val against = if (executors.count { it.startsWith("pool-") } > 1) " against $pool" else ""
        val from = when {
            group.all { it.below } -> "at every delay"

            group.all { it.above } -> "at no delay"

            // A crossover is interpolated between delays a millisecond apart, so more digits would mean nothing.
            else -> "from ${"%.2f".format(Locale.ROOT, group.crossover().value)} ms"
        }
        "$from with ${words(calls)}$against$age"
    }
    return if (parts.isEmpty()) "Time against delay, by executor" else "Virtual threads win ${listed(parts)}"
}

private fun slowest(groups: List<TreatmentTrials>): String {
    val times = groups.associateWith { it.seconds().value }.filterValues { !it.isNaN() }
    val (slow, most) = times.maxByOrNull { it.value } ?: return "Nothing was measured"
    val (fast, least) = times.minBy { it.value }
    return "${slow.executor} takes ${Estimate.rounded(most / least)} times as long as ${fast.executor}"
}

private fun Trials<*>.timed(): Measured = undisturbed().measured()

private fun TreatmentTrials.seconds(): Estimate = Bootstrap.median(values("durationMs").map { it / 1e3 })

/** The calls of a task, and the age of the forks where [groups] have more than one. */
private fun TreatmentTrials.panel(groups: List<TreatmentTrials>): String =
    listOfNotNull("${words(calls)} a task", "$start forks".takeIf { groups.map { it.start }.distinct().size > 1 }).joinToString()

private fun words(calls: Int) = if (calls == 1) "1 call" else "$calls calls"

/** The title of a panel: what differs between [groups]. */
private fun TreatmentTrials.level(groups: List<TreatmentTrials>): String {
    fun varies(of: (TreatmentTrials) -> Int) = groups.map(of).distinct().size > 1
    return listOfNotNull(
        "${withCommas(tasks)} tasks".takeIf { varies { it.tasks } },
        "${words(calls)} a task".takeIf { varies { it.calls } },
        "$delayMs ms of delay".takeIf { varies { it.delayMs } },
        "$start forks".takeIf { groups.map { it.start }.distinct().size > 1 },
    ).joinToString().ifEmpty { "$delayMs ms of delay" }
}

private fun TreatmentTrials.limitedLike(groups: List<TreatmentTrials>): TreatmentTrials? = groups.firstOrNull {
    it.executor == "virtual-limited-${executor.removePrefix("pool-")}" && it.tasks == tasks && it.calls == calls && it.delayMs == delayMs
}

private fun conditions(groups: List<TreatmentTrials>): String {
    val tasks = groups.map { withCommas(it.tasks) }.distinct()
    val calls = groups.map { it.calls }.distinct()
    val delays = groups.map { it.delayMs }.distinct().sorted().map { "$it" }
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
