package clientlab.notebook.attach

import clientlab.*
import clientlab.attach.*
import clientlab.notebook.chart.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/** One look at a service, [atS] seconds after the first. */
internal class Moment(val atS: Double, val seen: SeenService, val open: List<ServiceConnection>) {
    val threads: Int get() = seen.threads.sumOf { it.count }

    /** In one line: each limit that is reached, or the fullest one; threads and connections. */
    override fun toString(): String {
        val limits = seen.limits.filter { it.used != null }.sortedByDescending { it.waiting * MANY + it.share }
        val shown = limits.filter { it.full }.ifEmpty { limits.take(1) }
        return "%4d s  ".format(atS.toInt()) + shown.joinToString("") { "${it.setting} ${it.used} of ${it.limit}, ${it.waiting} wait; " } +
            "$threads threads, ${open.size} connections"
    }

    private companion object {
        const val MANY = 1_000.0
        val SeenLimit.share: Double get() = (used ?: 0).toDouble() / limit
    }
}

/** What [watch] saw of a service: its limits, threads and connections over time. */
public class Watched internal constructor(private val pid: Long, private val moments: List<Moment>) {
    /** The limits that were full, or else the fullest one, by what sets them and who owns them. */
    private val names: List<String> = moments
        .flatMap { moment -> moment.seen.limits.filter { it.used != null } }
        .groupBy { it.named }
        .entries
        .let { all -> all.filter { (_, seen) -> seen.any { it.full } }.ifEmpty { all } }
        .sortedByDescending { (_, seen) -> seen.maxOf { it.waiting * WAITING + (it.used ?: 0).toDouble() / it.limit } }
        .let { found -> found.take(if (found.any { (_, seen) -> seen.any { it.full } }) MOST else 1) }
        .map { it.key }

    private val SeenLimit.named: String get() = "$setting of ${owner.substringBefore(" → ")}"

    /** A row for each limit at each look: how much of it was taken, and how many waited. */
    public fun limits(): AnyFrame = rows().toDataFrame {
        "atS" from { it.first }
        "limit" from { it.second.named }
        "set" from { it.second.limit }
        "taken" from { it.second.used }
        "waiting" from { it.second.waiting }
    }

    /** The connections of the last look by peer and state; `ageS` is for how long the oldest one has been seen at least. */
    public fun connections(): AnyFrame {
        val first = HashMap<String, Double>()
        moments.forEach { moment -> moment.open.forEach { first.putIfAbsent(it.id, moment.atS) } }
        val last = moments.last()
        return last.open.groupBy { it.peer to it.state }.entries.sortedByDescending { it.value.size }.toDataFrame {
            "peer" from { it.key.first }
            "state" from { it.key.second }
            "connections" from { it.value.size }
            "idleMs" from { entry -> entry.value.mapNotNull { it.idleMs }.maxOrNull() }
            "ageS" from { entry -> entry.value.maxOf { last.atS - first.getValue(it.id) } }
        }
    }

    /** The fullest limits over time: how much of each was taken and how many waited. */
    public fun chart(): Chart {
        val rows = rows().filter { it.second.named in names }
        val full = rows.filter { it.second.full }.groupBy { it.second.named }.maxByOrNull { it.value.size }
        val title = full?.let { (name, looks) -> "$name was full in ${looks.size} of ${moments.size} looks" } ?: "No limit was full"
        val lines = rows.flatMap { (atS, limit) ->
            listOf("taken" to limit.used, "waiting" to limit.waiting).map { (what, value) ->
                mapOf("limit" to limit.named, "atS" to atS, "what" to what, "calls" to value)
            }
        }
        val ends = names.mapNotNull { name -> rows.lastOrNull { it.second.named == name }?.second }
        return Chart(
            title = title,
            subtitle = "${moments.first().seen.command} ($pid), ${moments.size} looks in ${moments.last().atS.toInt()} s",
            caption = moments.last().toString().substringAfter("s  "),
            alt = "$title. ${ends.joinToString { "${it.named}: ${it.used} of ${it.limit} are taken at last, ${it.waiting} wait" }}.",
            marks = listOf(Lines(ChartData.ofRows(lines), "atS", "calls", series = "what", steps = true)),
            x = NumberAxis("seconds since the first look"),
            y = NumberAxis("calls"),
            facets = Facets("limit", names, columns = 1),
            legend = Legend.RIGHT,
            colors = mapOf("taken" to Style.INK, "waiting" to Style.PHASES.getValue("connecting")),
        )
    }

    override fun toString(): String = moments.joinToString("\n")

    private fun rows(): List<Pair<Double, SeenLimit>> =
        moments.flatMap { moment -> moment.seen.limits.filter { it.used != null }.map { moment.atS to it } }

    private companion object {
        const val MOST = 3
        const val WAITING = 1_000.0
    }
}
