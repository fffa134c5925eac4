package clientlab.clients.kit

import clientlab.client.*

/**
 * What one adapter file offers to the catalogue.
 *
 * It names no class of its library, so that a list of clients loads no library.
 */
internal interface Listing {
    /** The clients of this library, the opened ones first. */
    val entries: List<CatalogueEntry>

    /** What the library needs in other versions than the lab's own; null if the adapter runs with the lab's version alone. */
    val needs: LibraryNeeds? get() = null
}
