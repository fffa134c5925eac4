package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.cio.CIOEngineConfig

/** [Ktor's CIO engine](https://ktor.io/docs/client-engines.html#cio): coroutines over a selector. It speaks HTTP/1.1 alone. */
internal class KtorCio(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Ktor CIO")
        val client =
            HttpClient(CIO) {
                read(conditions)
                engine {
                    when (configuration) {
                        Configuration.Opened -> open(conditions)
                        Configuration.Article -> openAsArticle(conditions)
                        Configuration.Default -> Unit
                    }
                }
            }
        return KtorSession(conditions, client)
    }

    private fun CIOEngineConfig.open(conditions: Conditions) {
        val timeout = conditions.timeout.inWholeMilliseconds
        // 1,000 by default, for all routes together.
        maxConnectionsCount = conditions.inFlight
        // 100 by default, and one server is one route. This is the limit that the article left.
        endpoint.maxConnectionsPerRoute = conditions.inFlight
        // 5 s by default, and it includes the time that a request waits for a connection.
        endpoint.connectTimeout = timeout
        // None by default.
        endpoint.socketTimeout = timeout
        // 15 s by default.
        requestTimeout = timeout
    }

    private fun CIOEngineConfig.openAsArticle(conditions: Conditions) {
        maxConnectionsCount = conditions.inFlight
        endpoint.connectTimeout = ARTICLE_TIMEOUT_MS
        requestTimeout = ARTICLE_TIMEOUT_MS
    }
}

internal object KtorCioListing : Listing {
    private const val PER_ROUTE = 100

    override val needs: LibraryNeeds = KtorLibrary.needs(json = true)

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "ktor-cio",
                    "Ktor CIO",
                    "maxConnectionsCount and endpoint.maxConnectionsPerRoute at the requests in flight, because by default they are " +
                        "1,000 and 100; endpoint.connectTimeout, endpoint.socketTimeout and requestTimeout as asked, because by default " +
                        "the first is 5 s and includes the wait for a connection, and the last is 15 s",
                ),
            ) { KtorCio(Configuration.Opened) },
            CatalogueEntry(info("ktor-cio@default", "Ktor CIO by default", "none", PER_ROUTE)) { KtorCio(Configuration.Default) },
            CatalogueEntry(
                info(
                    "ktor-cio@article",
                    "Ktor CIO as in the article",
                    "maxConnectionsCount at the requests in flight; endpoint.connectTimeout and requestTimeout 100 s; " +
                        "endpoint.maxConnectionsPerRoute stays at 100",
                    PER_ROUTE,
                ),
            ) { KtorCio(Configuration.Article) },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(
            id,
            title,
            "io.ktor:ktor-client-cio-jvm",
            settings,
            limit,
            owners = KtorThreads.owners,
            payloads = Payload.entries,
            protocols = HTTP_1,
        )
}
