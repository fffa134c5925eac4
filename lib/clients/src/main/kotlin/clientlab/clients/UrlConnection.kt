package clientlab.clients

import clientlab.ClientInfo
import clientlab.Leftover
import clientlab.Protocol
import clientlab.ThreadOwner
import clientlab.client.BlockingSession
import clientlab.client.CallerThreads
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.client.Session
import java.net.HttpURLConnection

/**
 * [HttpURLConnection](https://docs.oracle.com/en/java/javase/25/docs/api/java.base/java/net/HttpURLConnection.html), the JDK's first
 * client: it blocks, so that each call has a thread of its own, and nothing in it limits how many there are.
 */
internal class UrlConnection(
    private val configuration: Configuration,
    private val threads: CallerThreads,
) : Client {
    override fun open(conditions: Conditions): Session {
        requireHttp1(conditions, "HttpURLConnection")
        return UrlConnectionSession(conditions, configuration, threads)
    }
}

internal object UrlConnectionListing : Listing {
    private const val OPENED =
        "connect and read time-out as asked, for it has none; useCaches off, so that no cache of the JVM answers; HTTP/1.1; "

    /**
     * The JVM keeps five idle connections to an address, for all who use the class, and there is no way to close them: a timer of
     * its own does it after 5 s.
     */
    val expectedLeftovers: List<Leftover> =
        listOf(
            Leftover(
                "Keep-Alive-Timer",
                "the JVM's timer of idle connections, of which five stay for 5 to 10 s; ends with the last",
                connections = 5,
            ),
        )
    val owners: List<ThreadOwner> = listOf(ThreadOwner("Keep-Alive-Timer", "HttpURLConnection timer"))

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(info("urlconnection", "HttpURLConnection", OPENED + "a platform thread a call")) {
                UrlConnection(Configuration.Opened, CallerThreads.Platform)
            },
            CatalogueEntry(
                info("urlconnection-virtual", "HttpURLConnection on virtual threads", OPENED + "a virtual thread a call"),
            ) { UrlConnection(Configuration.Opened, CallerThreads.Virtual) },
            CatalogueEntry(info("urlconnection@default", "HttpURLConnection as it comes", "a platform thread a call")) {
                UrlConnection(Configuration.Default, CallerThreads.Platform)
            },
        )

    private fun info(id: String, title: String, settings: String): ClientInfo =
        ClientInfo(id, title, "jdk:java.base", settings, expectedLeftovers = expectedLeftovers, owners = owners, protocols = HTTP_1)
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
            // Without it the whole body is held in memory before it is sent.
            connection.setFixedLengthStreamingMode(request.bodyBytes)
            connection.outputStream.use { it.writeZeros(request.bodyBytes) }
        }
        val status = connection.responseCode
        val tally = BodyTally(request)
        (if (status >= HttpURLConnection.HTTP_BAD_REQUEST) connection.errorStream else connection.inputStream)?.let(tally::drain)
        return tally.reply(status, Protocol.Http1.label)
    }
}
