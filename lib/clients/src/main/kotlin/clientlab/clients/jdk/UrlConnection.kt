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
        "connect and read time-out as asked, because by default it has none; useCaches off, so that no cache of the JVM answers; HTTP/1.1"
    private const val TIMER =
        "the JVM's timer of idle connections; up to five connections stay for 5 to 10 s, and the timer ends with the last"

    override val library = "jdk:java.base"
    override val protocols = HTTP_1
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout"),
        TimeoutKind.Read to TimeoutSetting("readTimeout"),
    )
    override val owners = listOf(ThreadOwner("Keep-Alive-Timer", "HttpURLConnection timer"))

    /** The JVM keeps five idle connections per address, shared by all users of the class. No method closes them; its timer does after 5 s. */
    override val expectedLeftovers = listOf(Leftover("Keep-Alive-Timer", TIMER, connections = 5))
    override val entries = listOf(
        blockingEntry("urlconnection", "HttpURLConnection", OPENED, CallerThreads.Platform) { UrlConnection(Configuration.Opened, it) },
        blockingEntry("urlconnection-virtual", "HttpURLConnection on virtual threads", OPENED, CallerThreads.Virtual) {
            UrlConnection(Configuration.Opened, it)
        },
        blockingEntry("urlconnection@default", "HttpURLConnection by default", "", CallerThreads.Platform) {
            UrlConnection(Configuration.Default, it)
        },
    )
}

private class UrlConnectionSession(
    private val conditions: Conditions,
    private val configuration: Configuration,
    threads: CallerThreads,
) : BlockingSession(threads) {
    override fun call(request: Request): Reply {
        val url = conditions.baseUrl.resolve(request.path).toURL()
        val connection = url.openConnection() as HttpURLConnection
        if (configuration == Configuration.Opened) {
            connection.connectTimeout = conditions.timeoutMs
            connection.readTimeout = conditions.longestReadMs
            connection.useCaches = false
        }
        connection.requestMethod = request.method
        request.headers.forEach { (name, value) -> connection.setRequestProperty(name, value) }
        if (request.bodyBytes > 0) {
            connection.doOutput = true
            // Without this line the whole body is held in memory before it is sent.
            connection.setFixedLengthStreamingMode(request.bodyBytes)
            connection.outputStream.use { it.writeZeros(request.bodyBytes) }
        }
        val status = connection.responseCode
        val answer = if (status >= HttpURLConnection.HTTP_BAD_REQUEST) connection.errorStream else connection.inputStream
        if (request.reading == Reading.InMemory) {
            return Reply(status, answer?.use { it.readAllBytes().size.toLong() } ?: 0, Protocol.Http1.label)
        }
        val tally = BodyTally(request)
        answer?.let { tally.drain(it) }
        return tally.reply(status, Protocol.Http1.label)
    }
}
