package clientlab.clients

import clientlab.client.CatalogueEntry
import clientlab.client.ClientCatalogue

/** Every client there is: the opened ones first, in the order of tables and legends, then the other configurations. */
public class Catalogue : ClientCatalogue {
    override val entries: List<CatalogueEntry> =
        listOf(
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
        ).flatMap { it.entries }.sortedBy { "@" in it.info.id }
}
