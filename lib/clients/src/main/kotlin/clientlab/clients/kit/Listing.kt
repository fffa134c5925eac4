package clientlab.clients.kit

import clientlab.client.CatalogueEntry
import clientlab.client.LibraryNeeds

/** What one adapter file offers to the [Catalogue]; it names no class of a library, so that listing clients loads none of them. */
internal interface Listing {
    val entries: List<CatalogueEntry>

    /** What the library needs in other versions than the lab's own; null where it has none. */
    val needs: LibraryNeeds? get() = null
}
