package clientlab.notebook.frame

import clientlab.notebook.Listing

/** The order of clients in tables and legends: the catalogue's, and clients of a cell behind it. */
public object ClientOrder {
    private val places: Map<String, Int> by lazy {
        Listing.catalogue.clients
            .mapIndexed { place, client -> client.id to place }
            .toMap()
    }

    /** The place of the client [id]. */
    public fun of(id: String): Int = places[id] ?: Int.MAX_VALUE
}
