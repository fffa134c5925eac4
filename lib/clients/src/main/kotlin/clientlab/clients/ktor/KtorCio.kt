package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.cio.CIOEngineConfig
import kotlin.time.Duration.Companion.seconds

/** [Ktor's CIO engine](https://ktor.io/docs/client-engines.html#cio): coroutines over a selector. It speaks HTTP/1.1 alone. */
internal class KtorCio(private val configuration: Configuration, private val pipelined: Boolean = false) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "Ktor CIO")
        return ktorSession(conditions, CIO) {
            if (configuration == Configuration.Opened) open(conditions)
            if (configuration == Configuration.Article) openAsArticle(conditions)
            if (pipelined) keepConnections(conditions)
        }
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
        endpoint.socketTimeout = conditions.longestRead.inWholeMilliseconds
        // 15 s by default.
        requestTimeout = timeout
    }

    /**
     * Without `pipelining` CIO opens a connection for each request and closes it. With it, GET and HEAD keep connections, and no request
     * time-out applies to them. Before 3.6.0 the engine closes a connection when it has written the request, so hardly an answer comes
     * ([KTOR-7009](https://youtrack.jetbrains.com/issue/KTOR-7009)), and some requests never end.
     */
    private fun CIOEngineConfig.keepConnections(conditions: Conditions) {
        pipelining = true
        // 20 by default. A request waits until those before it on its connection are answered; with 1, at most two share one at a time.
        endpoint.pipelineMaxSize = 1
        // 5 s by default, and a connection that has no request for so long is closed.
        endpoint.keepAliveTime = conditions.timeout.inWholeMilliseconds
    }

    private fun CIOEngineConfig.openAsArticle(conditions: Conditions) {
        maxConnectionsCount = conditions.inFlight
        endpoint.connectTimeout = KtorLibrary.ARTICLE_TIMEOUT_MS
        requestTimeout = KtorLibrary.ARTICLE_TIMEOUT_MS
    }
}

internal object KtorCioListing : Listing {
    private const val PER_ROUTE = 100
    private const val OPENED =
        "maxConnectionsCount and endpoint.maxConnectionsPerRoute at the requests in flight, because by default they are 1,000 and 100; " +
            "endpoint.connectTimeout, endpoint.socketTimeout and requestTimeout as asked, because by default the first is 5 s and " +
            "includes the wait for a connection, and the last is 15 s"
    private const val ARTICLE =
        "maxConnectionsCount at the requests in flight; endpoint.connectTimeout and requestTimeout 100 s; " +
            "endpoint.maxConnectionsPerRoute stays at 100"

    private const val PIPELINING =
        "; pipelining, because without it each request has a connection of its own; endpoint.pipelineMaxSize 1, because by default up to " +
            "20 requests wait behind each other on one connection; endpoint.keepAliveTime as asked, because by default it is 5 s; " +
            "works from Ktor 3.6.0 on, because earlier versions close the connection before the answer (KTOR-7009)"

    override val library = "io.ktor:ktor-client-cio-jvm"
    override val protocols = HTTP_1
    override val recipe = "KtorCioRecipe.kt"
    override val timeouts = mapOf(
        // One setting for both: the wait for a place counts in it.
        TimeoutKind.Pool to TimeoutSetting("endpoint.connectTimeout", 5.seconds),
        TimeoutKind.Connect to TimeoutSetting("endpoint.connectTimeout", 5.seconds),
        TimeoutKind.Read to TimeoutSetting("endpoint.socketTimeout"),
        TimeoutKind.Call to TimeoutSetting("requestTimeout", 15.seconds),
    )
    override val owners = KtorLibrary.owners
    override val payloads = Payload.entries
    override val webSockets = true
    override val needs = KtorLibrary.needs(json = true)
    override val entries = listOf(
        entry("ktor-cio", "Ktor CIO", OPENED) { KtorCio(Configuration.Opened) },
        entry("ktor-cio@default", "Ktor CIO by default", "none", PER_ROUTE) { KtorCio(Configuration.Default) },
        entry("ktor-cio@article", "Ktor CIO as in the article", ARTICLE, PER_ROUTE) { KtorCio(Configuration.Article) },
        entry("ktor-cio@pipelining", "Ktor CIO with pipelining", OPENED + PIPELINING, since = "3.6.0") {
            KtorCio(Configuration.Opened, pipelined = true)
        },
    )
}
