package clientlab.notebook.frame

import clientlab.ClientInfo
import clientlab.client.VersionOrder
import clientlab.notebook.catalogue.Listing

/** The order of clients in tables and legends: the catalogue's, and clients of a cell behind it. */
public object ClientOrder {
    private val places: Map<String, Int> by lazy {
        Listing.catalogue.clients
            .mapIndexed { place, client -> client.id to place }
            .toMap()
    }

    /** The place of the client [id], in whichever version. */
    public fun of(id: String): Int = places[ClientInfo.unversioned(id)] ?: Int.MAX_VALUE

    /** The versions of one client in their order, that of the lab behind those that are named. */
    internal val byVersion: Comparator<String> =
        compareBy<String> { ClientInfo.unversioned(it) }
            .thenBy { ClientInfo.versionOf(it) == null }
            .thenBy(VersionOrder) { ClientInfo.versionOf(it).orEmpty() }
}
