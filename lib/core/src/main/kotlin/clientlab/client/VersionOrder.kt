package clientlab.client

/**
 * Compares versions by their numbers, so that 3.10 comes after 3.9. If the numbers are equal, a version with a suffix, as in
 * `3.0.0-beta-1`, comes before one without.
 */
public object VersionOrder : Comparator<String> {
    override fun compare(one: String, other: String): Int {
        val (a, b) = numbers(one) to numbers(other)
        for (place in 0 until maxOf(a.size, b.size)) {
            val difference = (a.getOrNull(place) ?: 0L).compareTo(b.getOrNull(place) ?: 0L)
            if (difference != 0) return difference
        }
        return compareValuesBy(one, other, { '-' !in it }, { it.substringAfter('-', "") })
    }

    /** Whether [version] is [least] or newer. */
    public fun atLeast(version: String, least: String): Boolean = compare(version, least) >= 0

    private fun numbers(version: String): List<Long> =
        version.substringBefore('-').split('.').map { part -> part.takeWhile(Char::isDigit).toLongOrNull() ?: 0L }
}
