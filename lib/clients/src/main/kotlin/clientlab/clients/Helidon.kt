package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.helidon.http.HeaderNames
import io.helidon.http.Method
import io.helidon.webclient.api.HttpClient
import io.helidon.webclient.api.HttpClientConfig
import io.helidon.webclient.http1.Http1Client
import io.helidon.webclient.http2.Http2Client
import io.helidon.webclient.http2.Http2ClientProtocolConfig
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/**
 * [Helidon's WebClient](https://helidon.io/docs/v4/se/webclient), written for virtual threads. It blocks, so each call has a thread of its
 * own. It does not limit the number of calls.
 */
internal class Helidon(private val configuration: Configuration, private val threads: CallerThreads) : Client {
    override fun open(conditions: Conditions): Session = HelidonSession(conditions, client(conditions), threads)

    private fun client(conditions: Conditions): HttpClient<*> =
        if (conditions.protocol.multiplexes) {
            // By default it asks for HTTP/2 in cleartext with an Upgrade header, so that it begins in HTTP/1.1.
            val prior = Http2ClientProtocolConfig.builder().priorKnowledge(true).build()
            Http2Client.builder().protocolConfig(prior).also { it.configure(conditions) }.build()
        } else {
            Http1Client.builder().also { it.configure(conditions) }.build()
        }

    private fun HttpClientConfig.BuilderBase<*, *>.configure(conditions: Conditions) {
        if (configuration != Configuration.Opened) return
        val timeout = conditions.timeout.toJavaDuration()
        // 10 s by default.
        connectTimeout(timeout)
        // 30 s by default.
        readTimeout(conditions.longestRead.toJavaDuration())
        // 256 by default: the number of idle connections that it keeps. It does not limit those in use.
        connectionCacheSize(conditions.inFlight)
        // By default all clients of the JVM share one cache, and no client closes it.
        shareConnectionCache(false)
        // By default a body waits up to a second for the server's 100 Continue.
        sendExpectContinue(false)
    }
}

internal object HelidonListing : Listing {
    private const val OPENED =
        "connect and read time-out as asked, because by default they are 10 s and 30 s; connectionCacheSize at the requests in flight, " +
            "because by default it keeps 256 idle ones; shareConnectionCache off, so that its connections can be closed; " +
            "sendExpectContinue off, so that a body is sent at once; HTTP/1.1"
    private const val SHARED =
        "Helidon's idle connections, which all clients of the JVM share and no client closes; no thread stays with them"
    private val shared = listOf(Leftover("helidon-client-\\d+", SHARED, connections = 256))

    override val library = "io.helidon.webclient:helidon-webclient"
    override val protocols = Protocol.overTcp
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 10.seconds),
        TimeoutKind.Read to TimeoutSetting("readTimeout", 30.seconds),
    )
    override val owners = listOf(ThreadOwner("helidon-.*", "Helidon"))
    override val entries = listOf(
        blockingEntry("helidon", "Helidon WebClient", OPENED, CallerThreads.Platform) { Helidon(Configuration.Opened, it) },
        blockingEntry("helidon-virtual", "Helidon WebClient on virtual threads", OPENED, CallerThreads.Virtual) {
            Helidon(Configuration.Opened, it)
        },
        blockingEntry("helidon@default", "Helidon WebClient by default", "", CallerThreads.Virtual, leftovers = shared) {
            Helidon(Configuration.Default, it)
        },
    )
}

private class HelidonSession(
    private val conditions: Conditions,
    private val client: HttpClient<*>,
    threads: CallerThreads,
) : BlockingSession(threads) {
    override fun call(request: Request): Reply {
        val asked = client.method(Method.create(request.method)).uri(conditions.baseUrl.resolve(request.path))
        request.headers.forEach { (name, value) -> asked.header(HeaderNames.create(name), value) }
        val answer =
            if (request.bodyBytes > 0) {
                asked.header(HeaderNames.CONTENT_LENGTH, request.bodyBytes.toString())
                asked.outputStream { out -> out.use { it.writeZeros(request.bodyBytes) } }
            } else {
                asked.request()
            }
        val label = conditions.label(http2 = conditions.protocol.multiplexes)
        if (request.reading == Reading.InMemory) {
            return answer.use { Reply(it.status().code(), it.`as`(ByteArray::class.java).size.toLong(), label) }
        }
        return answer.use { BodyTally(request).drain(it.inputStream()).reply(it.status().code(), label) }
    }

    override fun close() {
        client.closeResource()
        super.close()
    }
}
