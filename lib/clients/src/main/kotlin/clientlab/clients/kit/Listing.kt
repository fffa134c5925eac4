package clientlab.clients.kit

import clientlab.*
import clientlab.client.*

/**
 * What one adapter file offers to the catalogue: what all clients of its library have in common, and an entry for each of them.
 *
 * It names no class of its library, so that a list of clients loads no library. [ClientInfo] says what each property means.
 */
internal interface Listing {
    val library: String
    val protocols: List<Protocol>

    /** The file of `recipes` that builds a client with its limits raised and a deadline; null if there is none. */
    val recipe: String? get() = null

    /** Every time-out that the library offers. */
    val timeouts: Map<TimeoutKind, TimeoutSetting>
    val expectedLeftovers: List<Leftover> get() = emptyList()

    /** The first rule that matches a thread counts. */
    val owners: List<ThreadOwner> get() = emptyList()
    val callFrames: List<String> get() = emptyList()
    val payloads: List<Payload> get() = listOf(Payload.Text)

    /** Whether its clients open WebSockets. */
    val webSockets: Boolean get() = false

    /** What the library needs in other versions than the lab's own; null if the adapter runs with the lab's version alone. */
    val needs: LibraryNeeds? get() = null

    /** The clients of this library, the opened ones first. It is the last property of a listing, because it reads the others. */
    val entries: List<CatalogueEntry>

    /** One client; [settings] says what is not a default, and why. */
    fun entry(
        id: String,
        title: String,
        settings: String,
        limit: Int? = null,
        threadPerRequest: Boolean = false,
        leftovers: List<Leftover> = expectedLeftovers,
        jvmArgs: List<String> = emptyList(),
        speaks: List<Protocol> = protocols,
        since: String? = null,
        webSockets: Boolean = this.webSockets,
        create: () -> Client,
    ): CatalogueEntry {
        val info =
            ClientInfo(id, title, library, settings, limit, leftovers, owners, callFrames, jvmArgs, payloads, speaks, threadPerRequest)
                .copy(since = since, webSockets = webSockets)
        return CatalogueEntry(info, create)
    }

    /** One client that blocks. Its settings are [settings], if there are any, and the kind of thread that each call gets. */
    fun blockingEntry(
        id: String,
        title: String,
        settings: String,
        threads: CallerThreads,
        limit: Int? = null,
        leftovers: List<Leftover> = expectedLeftovers,
        create: (CallerThreads) -> Client,
    ): CatalogueEntry {
        val platform = threads == CallerThreads.Platform
        val thread = if (platform) "a platform thread per call" else "a virtual thread per call"
        return entry(
            id,
            title,
            listOf(settings, thread).filter(String::isNotEmpty).joinToString("; "),
            limit,
            threadPerRequest = platform,
            leftovers,
        ) {
            create(threads)
        }
    }
}
