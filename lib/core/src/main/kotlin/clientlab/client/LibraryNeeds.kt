package clientlab.client

import kotlinx.serialization.Serializable

/**
 * What the clients of one library need from any version of it, beside its POM; artifacts are written `group:name`.
 *
 * @property from the first version that the adapter runs against.
 * @property json artifacts of the same version that read JSON; [jsonFrom] is the first version in which the adapter reads it.
 * @property former the artifact that the library was before version [renamedIn].
 */
@Serializable
public data class LibraryNeeds(
    val from: String,
    val json: List<String> = emptyList(),
    val jsonFrom: String = from,
    val former: String? = null,
    val renamedIn: String? = null,
) {
    /** The artifacts of [library] in [version]. */
    public fun artifacts(library: String, version: String): List<String> {
        val isFormer = renamedIn != null && !VersionOrder.atLeast(version, renamedIn)
        return listOf(former?.takeIf { isFormer } ?: library) + if (readsJson(version)) json else emptyList()
    }

    /** Whether the adapter reads JSON with [version]. */
    public fun readsJson(version: String): Boolean = VersionOrder.atLeast(version, jsonFrom)
}

/** Compares versions by their numbers: 3.10 comes after 3.9. A suffix, as in `3.0.0-beta-1`, comes before the same numbers without. */
public object VersionOrder : Comparator<String> {
    override fun compare(one: String, other: String): Int {
        val (a, b) = numbers(one) to numbers(other)
        val differences = (0 until maxOf(a.size, b.size)).map { (a.getOrNull(it) ?: 0L).compareTo(b.getOrNull(it) ?: 0L) }
        return differences.firstOrNull { it != 0 } ?: compareValuesBy(one, other, { '-' !in it }, { it.substringAfter('-', "") })
    }

    /** Whether [version] is [least] or newer. */
    public fun atLeast(version: String, least: String): Boolean = compare(version, least) >= 0

    private fun numbers(version: String): List<Long> =
        version.substringBefore('-').split('.').map { part -> part.takeWhile(Char::isDigit).toLongOrNull() ?: 0L }
}
