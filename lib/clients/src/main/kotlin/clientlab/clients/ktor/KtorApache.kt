package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.ktor.client.HttpClient
import io.ktor.client.engine.apache.Apache
import io.ktor.client.engine.apache.ApacheEngineConfig

/**
 * [Ktor's old Apache engine](https://ktor.io/docs/client-engines.html#apache-apache5) over Apache HttpAsyncClient 4: an I/O reactor that
 * speaks HTTP/1.1 alone.
 */
internal class KtorApache(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Ktor Apache")
        val client =
            HttpClient(Apache) {
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

    private fun ApacheEngineConfig.open(conditions: Conditions) {
        val timeout = Math.toIntExact(conditions.timeout.inWholeMilliseconds)
        // 10 s by default: the longest that a server may take to answer.
        socketTimeout = timeout
        // 10 s by default.
        connectTimeout = timeout
        // 20 s by default: the wait for a connection of the pool.
        connectionRequestTimeout = timeout
        limit(conditions.inFlight)
    }

    private fun ApacheEngineConfig.openAsArticle(conditions: Conditions) {
        followRedirects = true
        socketTimeout = 10_000
        connectTimeout = 10_000
        connectionRequestTimeout = 20_000
        limit(conditions.inFlight)
    }

    /** Replaces the 1,000 that Ktor sets for both. */
    private fun ApacheEngineConfig.limit(inFlight: Int) {
        customizeClient {
            setMaxConnTotal(inFlight)
            setMaxConnPerRoute(inFlight)
        }
    }
}

internal object KtorApacheListing : Listing {
    override val needs: LibraryNeeds = KtorLibrary.needs()

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "ktor-apache",
                    "Ktor Apache",
                    "maxConnTotal and maxConnPerRoute at the requests in flight, because Ktor sets them to 1,000; " +
                        "socketTimeout, connectTimeout and connectionRequestTimeout as asked, because by default they are 10, 10 and 20 s",
                ),
            ) { KtorApache(Configuration.Opened) },
            CatalogueEntry(info("ktor-apache@default", "Ktor Apache by default", "none", APACHE_CONNECTIONS)) {
                KtorApache(Configuration.Default)
            },
            CatalogueEntry(
                info(
                    "ktor-apache@article",
                    "Ktor Apache as in the article",
                    "maxConnTotal and maxConnPerRoute at the requests in flight; socketTimeout 10 s, connectTimeout 10 s, " +
                        "connectionRequestTimeout 20 s; followRedirects",
                ),
            ) { KtorApache(Configuration.Article) },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(id, title, "io.ktor:ktor-client-apache-jvm", settings, limit, owners = KtorThreads.apacheOwners, protocols = HTTP_1)
}

/** How many connections Ktor lets each of Apache's clients open, to one route and in all. */
internal const val APACHE_CONNECTIONS: Int = 1000
