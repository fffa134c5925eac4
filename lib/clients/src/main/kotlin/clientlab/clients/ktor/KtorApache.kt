package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.ktor.client.engine.apache.Apache
import io.ktor.client.engine.apache.ApacheEngineConfig
import kotlin.time.Duration.Companion.seconds

/**
 * [Ktor's old Apache engine](https://ktor.io/docs/client-engines.html#apache-apache5) over Apache HttpAsyncClient 4: an I/O reactor that
 * speaks HTTP/1.1 alone.
 */
internal class KtorApache(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Ktor Apache")
        return ktorSession(conditions, Apache) {
            if (configuration == Configuration.Opened) open(conditions)
            if (configuration == Configuration.Article) openAsArticle(conditions)
        }
    }

    private fun ApacheEngineConfig.open(conditions: Conditions) {
        // 10 s by default: the longest that a server may take to answer.
        socketTimeout = conditions.longestReadMs
        // 10 s by default.
        connectTimeout = conditions.timeoutMs
        // 20 s by default: the wait for a connection of the pool.
        connectionRequestTimeout = conditions.timeoutMs
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
    private const val OPENED =
        "maxConnTotal and maxConnPerRoute at the requests in flight, because Ktor sets them to 1,000; socketTimeout, connectTimeout and " +
            "connectionRequestTimeout as asked, because by default they are 10, 10 and 20 s"
    private const val ARTICLE =
        "maxConnTotal and maxConnPerRoute at the requests in flight; socketTimeout 10 s, connectTimeout 10 s, " +
            "connectionRequestTimeout 20 s; followRedirects"

    override val library = "io.ktor:ktor-client-apache-jvm"
    override val protocols = HTTP_1
    override val timeouts = mapOf(
        TimeoutKind.Pool to TimeoutSetting("connectionRequestTimeout", 20.seconds),
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 10.seconds),
        TimeoutKind.Read to TimeoutSetting("socketTimeout", 10.seconds),
        TimeoutKind.Call to TimeoutSetting("HttpTimeout.requestTimeoutMillis"),
    )
    override val owners = KtorLibrary.apacheOwners
    override val needs = KtorLibrary.needs()
    override val entries = listOf(
        entry("ktor-apache", "Ktor Apache", OPENED) { KtorApache(Configuration.Opened) },
        entry("ktor-apache@default", "Ktor Apache by default", "none", KtorLibrary.APACHE_CONNECTIONS) {
            KtorApache(Configuration.Default)
        },
        entry("ktor-apache@article", "Ktor Apache as in the article", ARTICLE) { KtorApache(Configuration.Article) },
    )
}
