package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.ktor.client.HttpClient
import io.ktor.client.engine.apache5.Apache5
import io.ktor.client.engine.apache5.Apache5EngineConfig
import org.apache.hc.client5.http.config.TlsConfig
import org.apache.hc.core5.http2.HttpVersionPolicy
import org.apache.hc.core5.util.Timeout

/** [Ktor's Apache5 engine](https://ktor.io/docs/client-engines.html#apache-apache5) over Apache HttpClient 5: an I/O reactor. */
internal class KtorApache5(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val client =
            HttpClient(Apache5) {
                engine {
                    when (configuration) {
                        Configuration.Opened -> open(conditions)
                        Configuration.Article -> openAsArticle()
                        Configuration.Default -> Unit
                    }
                    configureConnectionManager {
                        // Replaces the 1,000 that Ktor sets for both.
                        if (configuration == Configuration.Opened) {
                            setMaxConnTotal(conditions.inFlight)
                            setMaxConnPerRoute(conditions.inFlight)
                        }
                        // By default it speaks HTTP/1.1 in cleartext, and over TLS what the server prefers.
                        if (configuration.setsProtocol(conditions)) {
                            setDefaultTlsConfig(TlsConfig.custom().setVersionPolicy(versionPolicy(conditions.protocol)).build())
                        }
                    }
                }
            }
        return KtorSession(conditions, client)
    }

    private fun Apache5EngineConfig.open(conditions: Conditions) {
        val timeout = conditions.timeout.inWholeMilliseconds
        // 10 s by default: the longest that a server may take to answer.
        socketTimeout = Math.toIntExact(timeout)
        // 10 s by default.
        connectTimeout = timeout
        // 20 s by default: the wait for a connection of the pool.
        connectionRequestTimeout = timeout
        // The socket time-out by default.
        customizeRequest { setResponseTimeout(Timeout.ofMilliseconds(timeout)) }
    }

    private fun Apache5EngineConfig.openAsArticle() {
        followRedirects = true
        socketTimeout = 10_000
        connectTimeout = 10_000
        connectionRequestTimeout = 20_000
    }
}

/** Apache's word for [protocol]. Apache HttpClient 5 speaks HTTP/2 in cleartext only if it is forced to. */
private fun versionPolicy(protocol: Protocol): HttpVersionPolicy =
    if (protocol.multiplexes) HttpVersionPolicy.FORCE_HTTP_2 else HttpVersionPolicy.FORCE_HTTP_1

internal object KtorApache5Listing : Listing {
    override val needs: LibraryNeeds = KtorLibrary.needs(from = "3.4.0")

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "ktor-apache5",
                    "Ktor Apache5",
                    "maxConnTotal and maxConnPerRoute of the connection manager at the requests in flight, because Ktor sets them to " +
                        "1,000; socketTimeout, response time-out, connectTimeout and connectionRequestTimeout as asked, because by " +
                        "default they are 10, 10, 10 and 20 s; HTTP/1.1",
                ),
            ) { KtorApache5(Configuration.Opened) },
            CatalogueEntry(info("ktor-apache5@default", "Ktor Apache5 by default", "none", APACHE_CONNECTIONS)) {
                KtorApache5(Configuration.Default)
            },
            CatalogueEntry(
                info(
                    "ktor-apache5@article",
                    "Ktor Apache5 as in the article",
                    "socketTimeout 10 s, connectTimeout 10 s, connectionRequestTimeout 20 s; followRedirects; no limit is raised",
                    APACHE_CONNECTIONS,
                ),
            ) { KtorApache5(Configuration.Article) },
        )

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(
            id,
            title,
            "io.ktor:ktor-client-apache5-jvm",
            settings,
            limit,
            owners = KtorThreads.apacheOwners,
            protocols = Protocol.entries,
        )
}
