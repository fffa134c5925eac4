package clientlab.notebook.chart

import clientlab.notebook.frame.Owners
import clientlab.notebook.frame.Profile
import clientlab.notebook.frame.shortFrame
import clientlab.notebook.journal.Stack
import clientlab.notebook.stats.Estimate

/**
 * The profile as a flame graph (B. Gregg, *The Flame Graph*, 2016): a box for each frame, as wide as its share, upon the one that
 * called it.
 *
 * Boxes side by side are in order of their names, so that nothing says when they ran. Frames of less than [smallest] percent are left out,
 * and so is the thread's name, for a stack means the same on all of a pool. Colours tell the library that a frame belongs to; Java's own
 * frames, Kotlin's and the JVM's are grey.
 */
public fun Profile.flameChart(smallest: Double = 0.4): Chart {
    val whole = Node("all")
    forks.forEach { stacks ->
        // Every fork weighs the same, however long it ran.
        val sum = stacks.sumOf { it.weight }.coerceAtLeast(1)
        stacks.forEach { whole.add(it, 100.0 * it.weight / sum / forks.size) }
    }
    val boxes = mutableListOf<Map<String, Any?>>()
    whole.layOut(0.0, 0, smallest, boxes)
    val depth = boxes.maxOfOrNull { it["top"] as Int } ?: 0
    val shares = shares().filter { it.value.value >= smallest }
    val of = if (isOfBytes) "the bytes it allocates" else "its processor time"
    val first = shares.entries.filter { it.key != Owners.JVM }.maxByOrNull { it.value.value }
    val most = first?.let { "${Estimate.rounded(it.value.value)} % of $of ${isFor(it.key)}" }
    val title = "$client: ${most ?: "nothing was sampled"}"
    return Chart(
        title = title,
        subtitle = "$treatment; each box as wide as its share, upon its caller",
        caption = "n = ${forks.size} (forks, which weigh alike); frames below $smallest % are left out; run $run",
        alt = "$title. In all: ${shares.entries.joinToString("; ") { (owner, share) -> "$owner $share %" }}.",
        marks = listOf(Boxes(ChartData.ofRows(boxes), "from", "to", "bottom", "top", "text", "library")),
        x = NumberAxis("share of all ${if (isOfBytes) "bytes allocated" else "processor time"}, in %", breaks = (0..100 step 20).toList()),
        y = NumberAxis("depth of the stack", breaks = emptyList()),
        legend = Legend.TOP,
        colors = Style.LIBRARIES,
        size = ChartSize(Style.WIDTH, (ROOM_FOR_WORDS + depth * ROW).coerceIn(260, 1_600)),
    )
}

private fun isFor(owner: String) =
    when (owner) {
        Owners.COMPILER -> "goes to compiling it"
        Owners.COLLECTOR -> "goes to collecting garbage"
        Owners.HARNESS -> "goes to the harness and the adapter"
        else -> "is $owner's"
    }

/** A frame with the frames that it calls. */
private class Node(private val frame: String) {
    private val callees = sortedMapOf<String, Node>()
    private var share = 0.0

    fun add(stack: Stack, weight: Double) {
        var at = this
        at.share += weight
        // The thread's name is first, and is left out: a JVM thread has no frame else, so it stays as one.
        val frames = if (stack.frames.size > 1) stack.frames.drop(1) else stack.frames
        for (frame in frames) {
            at = at.callees.getOrPut(frame) { Node(frame) }
            at.share += weight
        }
    }

    fun layOut(from: Double, depth: Int, smallest: Double, out: MutableList<Map<String, Any?>>) {
        out += mapOf(
            "from" to from,
            "to" to from + share,
            "bottom" to depth,
            "top" to depth + 1,
            "text" to shortFrame(frame),
            "library" to (Owners.ofFrame(frame) ?: OTHERS),
        )
        var at = from
        for (callee in callees.values) {
            if (callee.share >= smallest) callee.layOut(at, depth + 1, smallest, out)
            at += callee.share
        }
    }
}

private const val OTHERS = "Java, Kotlin and the JVM"
private const val ROW = 15
private const val ROOM_FOR_WORDS = 170
