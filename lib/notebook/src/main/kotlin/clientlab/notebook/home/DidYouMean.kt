package clientlab.notebook.home

/** The question which of [known] is meant by [asked], with a space behind it; [otherwise] if none is like it. */
internal fun didYouMean(asked: String, known: Collection<String>, otherwise: String = ""): String {
    val nearest = known.minByOrNull { editDistance(asked, it) } ?: return otherwise
    return if (editDistance(asked, nearest) <= MOST_SLIPS) "did you mean '$nearest'? " else otherwise
}

/** A typing mistake: two letters are swapped, or one is wrong, missing or too many; at most two such mistakes. */
private const val MOST_SLIPS = 3

/** The fewest letters to change, add or leave out to make [one] into [other] (V. Levenshtein, 1966). */
private fun editDistance(one: String, other: String): Int {
    val last = one.foldIndexed((0..other.length).toList()) { i, above, letter ->
        other.foldIndexed(listOf(i + 1)) { j, row, next ->
            row + minOf(row.last() + 1, above[j + 1] + 1, above[j] + if (letter == next) 0 else 1)
        }
    }
    return last.last()
}
