package clientlab.clients.jdk

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import java.net.HttpURLConnection

/**
 * [HttpURLConnection](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/net/HttpURLConnection.html), the JDK's first
 * client. It blocks, so each call has a thread of its own. It does not limit the number of calls.
 */
internal class UrlConnection(private val configuration: Configuration, private val threads: CallerThreads) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "HttpURLConnection")
        return UrlConnectionSession(conditions, configuration, threads)
    }
}

internal object UrlConnectionListing : Listing {
    private const val OPENED =
        "connect and read time-out as asked, because by default it has none; useCaches off, so that no cache of the JVM answers; HTTP/1.1; "

    /**
     * The JVM keeps five idle connections per address, shared by all users of the class. No method closes them; a timer of the JVM does
     * so after 5 s.
     */
    val expectedLeftovers: List<Leftover> =
        listOf(
            Leftover(
                "Keep-Alive-Timer",
                "the JVM's timer of idle connections; up to five connections stay for 5 to 10 s, and the timer ends with the last",
                connections = 5,
            ),
        )
    val owners: List<ThreadOwner> = listOf(ThreadOwner("Keep-Alive-Timer", "HttpURLConnection timer"))

    override val entries: List<CatalogueEntry> =
        listOf(
            entry(
                "urlconnection",
                "HttpURLConnection",
                OPENED + "a platform thread per call",
                Configuration.Opened,
                CallerThreads.Platform,
            ),
            entry(
                "urlconnection-virtual",
                "HttpURLConnection on virtual threads",
                OPENED + "a virtual thread per call",
                Configuration.Opened,
                CallerThreads.Virtual,
            ),
            entry(
                "urlconnection@default",
                "HttpURLConnection by default",
                "a platform thread per call",
                Configuration.Default,
                CallerThreads.Platform,
            ),
        )

    private fun entry(
        id: String,
        title: String,
        settings: String,
        configuration: Configuration,
        threads: CallerThreads,
    ): CatalogueEntry {
        val info =
            ClientInfo(
                id,
                title,
                "jdk:java.base",
                settings,
                expectedLeftovers = expectedLeftovers,
                owners = owners,
                protocols = HTTP_1,
                threadPerRequest = threads == CallerThreads.Platform,
            )
        return CatalogueEntry(info) { UrlConnection(configuration, threads) }
    }
}

private class UrlConnectionSession(
    private val conditions: Conditions,
    private val configuration: Configuration,
    threads: CallerThreads,
) : BlockingSession(threads) {
    override fun call(request: Request): Reply {
        val connection = conditions.baseUrl
            .resolve(request.path)
            .toURL()
            .openConnection() as HttpURLConnection
        if (configuration == Configuration.Opened) {
            connection.connectTimeout = Math.toIntExact(conditions.timeout.inWholeMilliseconds)
            connection.readTimeout = connection.connectTimeout
            connection.useCaches = false
        }
        connection.requestMethod = request.method
        if (request.bodyBytes > 0) {
            connection.doOutput = true
            // Without this line the whole body is held in memory before it is sent.
            connection.setFixedLengthStreamingMode(request.bodyBytes)
            connection.outputStream.use { it.writeZeros(request.bodyBytes) }
        }
        val status = connection.responseCode
        val tally = BodyTally(request)
        (if (status >= HttpURLConnection.HTTP_BAD_REQUEST) connection.errorStream else connection.inputStream)?.let(tally::drain)
        return tally.reply(status, Protocol.Http1.label)
    }
}
