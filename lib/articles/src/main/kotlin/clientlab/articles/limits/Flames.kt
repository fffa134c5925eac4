package clientlab.articles.limits

import clientlab.notebook.frame.*
import clientlab.notebook.journal.*

/** One box of a flame graph: a frame between the shares [from] and [to] in percent, [depth] frames above the bottom. */
internal data class Flame(val frame: String, val library: String, val from: Double, val to: Double, val depth: Int)

/**
 * The stacks as a tree, sorted by the names of the frames from the left. Every fork has the same weight, however long it ran.
 *
 * Compilation and collection are one frame each. The thread's name is left out, because a stack means the same on every thread of a pool.
 * If [folded], frames of one library in a row keep the first two and the last: dozens of Ktor's frames call each other for every request.
 */
internal fun Profile.flames(smallest: Double = 0.4, folded: Boolean = true): List<Flame> {
    val ground = Node("all")
    forks.forEach { stacks ->
        val sum = stacks.sumOf { it.weight }.coerceAtLeast(1)
        stacks.forEach { ground.add(framesOf(it, folded), 100.0 * it.weight / sum / forks.size) }
    }
    return buildList { ground.layOut(0.0, 0, smallest, this) }
}

private fun framesOf(stack: Stack, folded: Boolean): List<String> {
    val owner = Owners.of(stack.frames)
    if (owner == Owners.COMPILER || owner == Owners.COLLECTOR) return listOf(owner)
    val frames = if (stack.frames.size > 1) stack.frames.drop(1) else stack.frames
    if (!folded) return frames
    return buildList {
        var start = 0
        for (i in frames.indices) {
            val ends = i == frames.lastIndex || Owners.ofFrame(frames[i + 1]) != Owners.ofFrame(frames[i])
            if (i - start < KEPT || ends) add(frames[i])
            if (ends) start = i + 1
        }
    }
}

/** A frame with the frames that it calls. */
private class Node(private val frame: String) {
    private val callees = sortedMapOf<String, Node>()
    private var share = 0.0

    fun add(frames: List<String>, weight: Double) {
        var at = this
        at.share += weight
        for (frame in frames) {
            at = at.callees.getOrPut(frame) { Node(frame) }
            at.share += weight
        }
    }

    fun layOut(from: Double, depth: Int, smallest: Double, out: MutableList<Flame>) {
        out += Flame(shortFrame(frame), Owners.ofFrame(frame) ?: Owners.OTHERS, from, from + share, depth)
        var at = from
        for (callee in callees.values) {
            if (callee.share >= smallest) callee.layOut(at, depth + 1, smallest, out)
            at += callee.share
        }
    }
}

private const val KEPT = 2
