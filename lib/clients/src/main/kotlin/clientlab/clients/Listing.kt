package clientlab.clients

import clientlab.Protocol
import clientlab.client.CatalogueEntry
import clientlab.client.Conditions
import clientlab.client.LibraryNeeds

/** What one adapter file offers to the [Catalogue]; it names no class of a library, so that listing clients loads none of them. */
internal interface Listing {
    val entries: List<CatalogueEntry>

    /** What the library needs in other versions than the lab's own; null where it has none. */
    val needs: LibraryNeeds? get() = null
}

/** Which settings a client is opened with. */
internal enum class Configuration {
    /** Every limit is the number of requests in flight, per host and route too, and every time-out the one asked for. */
    Opened,

    /** As the library comes: only the address is given. */
    Default,

    /** As the code of the first source article sets it. */
    Article,
    ;

    /** Whether the version is set: a client that is not opened keeps its own way of choosing, unless another one is asked for. */
    fun setsProtocol(conditions: Conditions): Boolean = this == Opened || conditions.protocol != Protocol.Http1
}

/** What a client speaks that knows HTTP/1.1 alone. */
internal val HTTP_1: List<Protocol> = listOf(Protocol.Http1, Protocol.Https1)
