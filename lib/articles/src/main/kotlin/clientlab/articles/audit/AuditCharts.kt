package clientlab.articles.audit

import clientlab.*
import clientlab.articles.*
import clientlab.audit.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*

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
    val rows = groups.flatMap { group -> group.curve(panels.getValue(group.hosts())) }
    val data = ChartData.ofRows(rows)
    val limited = limitsFound().filter { it.toOneHost != null }
    val levels = limited.mapNotNull { it.toOneHost }.distinct().sorted().map(::withCommas)
    val title = when {
        levels.isEmpty() -> "Every client${groups.measuredHere} lets through all that are asked"
        else -> "To one host: limits of ${levels.joinToString()} in flight"
    }
    return Chart(
        title = title,
        subtitle = "requests are added, none is answered; the server says how many it has",
        caption = "the fork with the median; ${origin()}${groups.leftOut()}",
        runs = runs(),
        alt = "$title. ${limited.joinToString(" ") { "${it.client}: ${it.finding}" }}",
        marks = listOf(
            Lines(data, "asked", "held", series = "client"),
            Points(data, "asked", "held", color = "client"),
            Labels(ChartData.ofRows(sharedEnds(rows)), "asked", "held", text = "label", color = "client", place = LabelPlace.END),
        ),
        x = NumberAxis("requests asked at once", NumberScale.LOG10, breaks = rows.map { it.getValue("asked") as Int }.distinct().sorted()),
        y = NumberAxis("requests in flight, as the server saw it", NumberScale.LOG10),
        facets = Facets("panel", panels.values.toList(), columns = 1).takeIf { panels.size > 1 },
        size = ChartSize(Style.WIDTH, HEAD + PANEL * panels.size),
    )
}

/** A label for each end that lines of a panel share: the value, and the clients that end there. */
private fun sharedEnds(rows: List<Map<String, Any?>>): List<Map<String, Any?>> =
    rows.ends("asked", "panel", "client").groupBy { it["panel"] to it["held"] }.values.map { same ->
        val names = same.map { it["client"].toString() }
        val more = if (names.size > MOST_NAMES) " and ${names.size - MOST_NAMES} more" else ""
        same.first() + ("label" to "${withCommas(same.first()["held"] as Int)}: ${names.take(MOST_NAMES).joinToString()}$more")
    }

/** The fork of middle value. If nothing had arrived yet, there is no level: a client may need some time to load its classes. */
private fun TreatmentTrials.curve(panel: String): List<Map<String, Any?>> =
    middleTrial("heldInFlight")!!.table("heldCurve").filter { it["held"] as Int > 0 }.map {
        mapOf("client" to client, "panel" to panel, "asked" to it["asked"], "held" to it["held"])
    }

private fun TreatmentTrials.hosts(): Int = number(Factor.HOSTS)?.toInt() ?: 1

private const val MOST_NAMES = 3
private const val HEAD = 120
private const val PANEL = 260
