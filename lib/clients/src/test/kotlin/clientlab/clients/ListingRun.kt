package clientlab.clients

/** The last line of [main]. */
internal const val LISTED: String = "listed"

/** Lists the catalogue and does nothing else. */
internal fun main() {
    check(Catalogue().entries.all { it.info.id.isNotEmpty() })
    println(LISTED)
}
