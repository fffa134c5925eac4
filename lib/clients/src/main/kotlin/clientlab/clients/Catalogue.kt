package clientlab.clients

import clientlab.client.*
import clientlab.clients.apache.*
import clientlab.clients.jdk.*
import clientlab.clients.kit.*
import clientlab.clients.ktor.*
import clientlab.clients.okhttp.*

/** Every client that a trial can open: the opened ones first, in the order of tables and legends, then the other configurations. */
public class Catalogue : ClientCatalogue {
    private val listings: List<Listing> = listOf(
        RetrofitListing,
        KtorOkHttpListing,
        KtorApacheListing,
        KtorApache5Listing,
        KtorJavaListing,
        KtorCioListing,
        FuelListing,
        OkHttpListing,
        JdkListing,
        Apache5AsyncListing,
        UrlConnectionListing,
        SpringWebClientListing,
        SpringRestClientListing,
        VertxListing,
        JettyListing,
        NettyAloneListing,
        HelidonListing,
        AsyncHttpClientListing,
        ArmeriaListing,
    )

    override val entries: List<CatalogueEntry> = listings.flatMap { it.entries }.sortedBy { "@" in it.info.id }

    /** What each library needs that also runs in other versions than the lab's own, by [clientlab.ClientInfo.library]. */
    public val libraries: Map<String, LibraryNeeds>
        get() = listings.mapNotNull { listing -> listing.needs?.let { listing.library to it } }.toMap()

    /** The time-outs that each library offers, by [clientlab.ClientInfo.library]. */
    public val timeouts: Map<String, Map<TimeoutKind, TimeoutSetting>> get() = listings.associate { it.library to it.timeouts }

    /** The file of `recipes` of each library that has one, by [clientlab.ClientInfo.library]. */
    internal val recipes: Map<String, String>
        get() = listings.mapNotNull { listing -> listing.recipe?.let { listing.library to it } }.toMap()
}
