package clientlab.articles.audit

import clientlab.*
import clientlab.audit.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.rows
import java.util.Locale

/**
 * Requests in flight at the server as the load rises: one line per client, a panel for one host and one for many hosts.
 *
 * A line on the diagonal means no limit. A line that becomes level has reached the client's limit, which is its label. Clients with the
 * same limit share a label.
 */
public fun Trials<Audit>.limitChart(): Chart {
    val groups = measured()
    val panels = groups
        .map { it.hosts() }
        .distinct()
        .sorted()
        .associateWith { if (it == 1) "one host" else "$it hosts" }
    val rows =
        groups.flatMap { group ->
            middle(group).map { (asked, held) ->
                mapOf("client" to group.client, "panel" to panels.getValue(group.hosts()), "asked" to asked, "held" to held)
            }
        }
    val limited = limitsFound().filter { it.toOneHost != null }
    val levels =
        limited
            .mapNotNull { it.toOneHost }
            .distinct()
            .sorted()
            .map { "%,d".format(Locale.ROOT, it) }
    val title =
        when {
            levels.isEmpty() -> "Every client${groups.measuredHere} lets through all that are asked"
            else -> "To one host: limits of ${levels.joinToString()} in flight"
        }
    val words = limited.joinToString(" ") { "${it.client}: ${it.finding}" }
    return Chart(
        title = title,
        subtitle = "requests are added, none is answered; the server says how many it has",
        caption = "the fork of middle value; ${origin()}${groups.leftOut()}",
        runs = runs(),
        alt = "$title. $words",
        marks =
            listOf(
                Lines(ChartData.ofRows(rows), "asked", "held", series = "client"),
                Points(ChartData.ofRows(rows), "asked", "held", color = "client"),
                Labels(ChartData.ofRows(ends(rows)), "asked", "held", text = "label", color = "client", place = LabelPlace.END),
            ),
        x = NumberAxis("requests asked at once", NumberScale.LOG10, breaks = rows.map { it.getValue("asked") as Int }.distinct().sorted()),
        y = NumberAxis("requests in flight, as the server saw it", NumberScale.LOG10),
        facets = Facets("panel", panels.values.toList(), columns = 1).takeIf { panels.size > 1 },
        size = ChartSize(Style.WIDTH, HEAD + PANEL * panels.size),
    )
}

/** A label for each end that lines of a panel share: the value, and the clients that end there. */
private fun ends(rows: List<Map<String, Any>>): List<Map<String, Any>> =
    rows
        .groupBy { it.getValue("panel") to it.getValue("client") }
        .values
        .map { line -> line.maxBy { it.getValue("asked") as Int } }
        .groupBy { it.getValue("panel") to it.getValue("held") }
        .values
        .map { same ->
            val names = same.map { it.getValue("client").toString() }
            val shown = names.take(MOST_NAMES).joinToString() + if (names.size > MOST_NAMES) " and ${names.size - MOST_NAMES} more" else ""
            same.first() + ("label" to "%,d: $shown".format(Locale.ROOT, same.first().getValue("held")))
        }

private fun middle(group: TreatmentTrials): List<Pair<Int, Int>> {
    val trials = group.counted.sortedBy { it["heldInFlight"] as Double }
    val curve = trials[trials.size / 2]["heldCurve"] as AnyFrame
    // If nothing had arrived yet, there is no level: a client may need some time to load its classes.
    return curve.rows().map { it["asked"] as Int to it["held"] as Int }.filter { (_, held) -> held > 0 }
}

private fun TreatmentTrials.hosts(): Int = number(Factor.HOSTS)?.toInt() ?: 1

private const val MOST_NAMES = 3
private const val HEAD = 120
private const val PANEL = 260
