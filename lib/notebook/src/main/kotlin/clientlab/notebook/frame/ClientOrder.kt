package clientlab.notebook.frame

import clientlab.*
import clientlab.client.*
import clientlab.notebook.catalogue.*

/** The order of clients in tables and legends: the catalogue's order, then clients from cells. */
public object ClientOrder {
    private val places: Map<String, Int> by lazy {
        Listing.catalogue.clients
            .mapIndexed { place, client -> client.id to place }
            .toMap()
    }

    /** The place of the client [id], in any version. */
    public fun of(id: String): Int = places[ClientInfo.unversioned(id)] ?: Int.MAX_VALUE

    /** The versions of one client in their order; the lab's own version is last. */
    internal val byVersion: Comparator<String> =
        compareBy<String> { ClientInfo.unversioned(it) }
            .thenBy { ClientInfo.versionOf(it) == null }
            .thenBy(VersionOrder) { ClientInfo.versionOf(it).orEmpty() }
}
