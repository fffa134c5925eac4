package clientlab.articles.streams

import clientlab.*
import clientlab.articles.*
import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*
import clientlab.streams.*

/**
 * What an open stream takes: memory while it is idle, and processor time while an event comes every second. The client that needs the least
 * memory is on top; each fork is a dot, with the median and its interval in front.
 */
public fun Trials<Streams>.streamChart(): Chart {
    // A client that holds fewer than it was asked for divides what it takes by those.
    val groups = measured { !it.wave }
    val memory = groups.filter { it[Factor.FEED] == Feed.Idle.label }.ifEmpty { groups }.sortedBy { it.median("streamBytes").value }
    val fed = groups.filter { it[Factor.FEED] == Feed.EverySecond.label }
    val rows =
        memory.map { it.forkRow(mapOf("client" to it.client, "panel" to MEMORY), "streamBytes", PER_KB) } +
            fed.map { it.forkRow(mapOf("client" to it.client, "panel" to PROCESSOR), "streamCpuMs", MICROS_PER_MS) }
    val panels = listOf(MEMORY, PROCESSOR).filter { panel -> rows.any { it.cells["panel"] == panel } }
    val streams = groups.map { it.inFlight }.distinct().joinToString(" or ") { withCommas(it) }
    return forkPanels(
        titleOf(memory),
        "$streams streams of server-sent events through one client; the server saw all of them open",
        groups,
        rows,
        NumberAxis(panels.singleOrNull()?.let { "for each stream: $it" } ?: "for each stream", zero = true),
        Facets("panel", panels, columns = 2, free = true).takeIf { panels.size > 1 },
        order = memory.map { it.client }.distinct(),
    )
}

/** Who needs the least and the most memory, and how many hold a thread for each stream. */
private fun titleOf(memory: List<TreatmentTrials>): String {
    val (least, most) = (memory.firstOrNull() ?: return "No trial here is valid, so there is nothing to show") to memory.last()
    val threads = memory.count { Bootstrap.median(it.threadsEach()).value >= A_THREAD_EACH }
    val (low, high) = listOf(least, most).map { Estimate.rounded(it.median("streamBytes").value * PER_KB) }
    if (memory.size == 1) return "An open stream takes $low kB with ${least.client}"
    return "An open stream takes $low kB (${least.client}) to $high kB (${most.client}); " +
        "$threads of ${memory.size} clients hold a thread for each"
}

private const val MEMORY = "kB, idle"
private const val PROCESSOR = "µs of a processor in a second, an event a second"

/** Fewer threads than that are not one for each stream. */
private const val A_THREAD_EACH = 0.9
