package clientlab.articles.limits

import clientlab.notebook.chart.*
import clientlab.notebook.frame.*
import clientlab.notebook.stats.*

/**
 * The profile as a flame graph (B. Gregg, *The Flame Graph*, 2016): one box per stack frame, as wide as its share, on top of its caller.
 *
 * Neighbouring boxes are sorted by name, so their order says nothing about time. The colour is the frame's library; frames of Java, Kotlin
 * and the JVM are grey. If [folded], a sequence of frames of one library shows its first two and its last. Frames of less than [smallest]
 * percent are left out.
 */
public fun Profile.flameChart(smallest: Double = 0.4, folded: Boolean = true): Chart {
    val flames = flames(smallest, folded)
    val shares = shares().filter { it.value.value >= smallest }
    val libraries = shares.filter { it.key !in Owners.NO_LIBRARY }.entries.sortedByDescending { it.value.value }
    val of = if (isOfBytes) "the bytes allocated" else "the processor time"
    val most = libraries.take(2).joinToString(" and ") { (owner, share) -> "${Estimate.rounded(share.value)} % $owner's" }
    val left = "frames below $smallest % are left out" + if (folded) ", rows of one library folded" else ""
    val title = if (libraries.isEmpty()) "$client: no library was seen at work" else "$client: of $of $most"
    return Chart(
        title = title,
        subtitle = "$treatment; each box as wide as its share, upon its caller",
        caption = "n = ${forks.size} forks; $left; ${originOf(listOf(run))}",
        runs = listOf(run),
        alt = "$title. In all: ${shares.entries.joinToString("; ") { (owner, share) -> "$owner $share %" }}.",
        marks = listOf(Boxes(flames.data(), "from", "to", "bottom", "top", "text", "library")),
        x = NumberAxis("share of all ${of.removePrefix("the ")}, in %", breaks = (0..100 step 20).toList()),
        y = NumberAxis("depth of the stack", breaks = emptyList()),
        legend = Legend.RIGHT,
        colors = Style.LIBRARIES,
        size = ChartSize(WIDTH, (ROOM_FOR_WORDS + (flames.maxOfOrNull { it.depth + 1 } ?: 0) * ROW).coerceIn(260, 1_600)),
    )
}

private fun List<Flame>.data() = ChartData.of(
    "from" to map { it.from },
    "to" to map { it.to },
    "bottom" to map { it.depth },
    "top" to map { it.depth + 1 },
    "text" to map { it.frame },
    "library" to map { it.library },
)

/** Wider than other figures, because the legend needs room. */
private const val WIDTH = 940
private const val ROW = 16
private const val ROOM_FOR_WORDS = 130
