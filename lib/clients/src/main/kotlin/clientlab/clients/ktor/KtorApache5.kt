package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.apache.*
import clientlab.clients.kit.*
import io.ktor.client.engine.apache5.Apache5
import io.ktor.client.engine.apache5.Apache5EngineConfig
import kotlin.time.Duration.Companion.seconds

/** [Ktor's Apache5 engine](https://ktor.io/docs/client-engines.html#apache-apache5) over Apache HttpClient 5: an I/O reactor. */
internal class KtorApache5(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session = ktorSession(conditions, Apache5) {
        if (configuration == Configuration.Opened) open(conditions)
        if (configuration == Configuration.Article) openAsArticle()
        configureConnectionManager {
            // Replaces the 1,000 that Ktor sets for both.
            if (configuration == Configuration.Opened) setMaxConnTotal(conditions.inFlight).setMaxConnPerRoute(conditions.inFlight)
            if (configuration.setsProtocol(conditions)) setDefaultTlsConfig(tlsConfig(conditions.protocol))
        }
    }

    private fun Apache5EngineConfig.open(conditions: Conditions) {
        // 10 s by default: the longest that a server may take to answer.
        socketTimeout = conditions.longestReadMs
        // 10 s by default.
        connectTimeout = conditions.timeout.inWholeMilliseconds
        // 20 s by default: the wait for a connection of the pool.
        connectionRequestTimeout = conditions.timeout.inWholeMilliseconds
        // The socket time-out by default.
        customizeRequest { setResponseTimeout(timeoutOf(conditions.longestRead)) }
    }

    private fun Apache5EngineConfig.openAsArticle() {
        followRedirects = true
        socketTimeout = 10_000
        connectTimeout = 10_000
        connectionRequestTimeout = 20_000
    }
}

internal object KtorApache5Listing : Listing {
    private const val OPENED =
        "maxConnTotal and maxConnPerRoute of the connection manager at the requests in flight, because Ktor sets them to 1,000; " +
            "socketTimeout, response time-out, connectTimeout and connectionRequestTimeout as asked, because by default they are 10, 10, " +
            "10 and 20 s; HTTP/1.1"
    private const val ARTICLE =
        "socketTimeout 10 s, connectTimeout 10 s, connectionRequestTimeout 20 s; followRedirects; no limit is raised"

    override val library = "io.ktor:ktor-client-apache5-jvm"
    override val protocols = Protocol.overTcp
    override val recipe = "KtorApache5Recipe.kt"
    override val timeouts = mapOf(
        TimeoutKind.Pool to TimeoutSetting("connectionRequestTimeout", 20.seconds),
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 10.seconds),
        TimeoutKind.Read to TimeoutSetting("socketTimeout", 10.seconds),
        TimeoutKind.Call to TimeoutSetting("HttpTimeout.requestTimeoutMillis"),
    )
    override val owners = KtorLibrary.apacheOwners
    override val needs = KtorLibrary.needs(from = "3.4.0")
    override val entries = listOf(
        entry("ktor-apache5", "Ktor Apache5", OPENED) { KtorApache5(Configuration.Opened) },
        entry("ktor-apache5@default", "Ktor Apache5 by default", "none", KtorLibrary.APACHE_CONNECTIONS) {
            KtorApache5(Configuration.Default)
        },
        entry("ktor-apache5@article", "Ktor Apache5 as in the article", ARTICLE, KtorLibrary.APACHE_CONNECTIONS) {
            KtorApache5(Configuration.Article)
        },
    )
}
