package clientlab.notebook.bisect

/** Where an answer changes, in places of the candidates: from [before], the last that answers as the first does, to [since]. */
internal class Change(val before: Int, val since: Int) {
    /** Whether candidates between them could not answer. */
    val isWide: Boolean get() = since - before > 1
}

/**
 * Finds in [size] candidates where the answer changes, by halving: both ends in one question, then one in the middle each time, so ⌈log₂ n⌉ + 1
 * questions. [ask] gives the answers of the candidates at those places, null where one cannot say; then its neighbours are asked. Null if the
 * ends say the same, if one of them cannot say, and if they say what differs but not [surely].
 */
internal fun search(size: Int, surely: () -> Boolean = { true }, ask: (List<Int>) -> List<String?>): Change? {
    val last = size - 1
    val (first, end) = ask(listOf(0, last))
    if (first == null || end == null || first == end || !surely()) return null
    var before = 0
    var since = last
    val silent = mutableSetOf<Int>()
    while (true) {
        val between = (before + 1 until since).filter { it !in silent }
        val middle = between.minByOrNull { kotlin.math.abs(2 * it - before - since) } ?: return Change(before, since)
        when (ask(listOf(middle)).single()) {
            null -> silent += middle
            first -> before = middle
            else -> since = middle
        }
    }
}
