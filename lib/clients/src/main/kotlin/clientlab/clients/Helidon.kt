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
import io.helidon.http.HeaderNames
import io.helidon.http.Method
import io.helidon.webclient.api.HttpClient
import io.helidon.webclient.api.HttpClientConfig
import io.helidon.webclient.http1.Http1Client
import io.helidon.webclient.http2.Http2Client
import io.helidon.webclient.http2.Http2ClientProtocolConfig
import kotlin.time.toJavaDuration

/**
 * [Helidon's WebClient](https://helidon.io/docs/v4/se/webclient): it blocks, and is written for virtual threads. Each call has a thread of
 * its own, and nothing in it limits how many there are.
 */
internal class Helidon(
    private val configuration: Configuration,
    private val threads: CallerThreads,
) : Client {
    override fun open(conditions: Conditions): Session = HelidonSession(conditions, client(conditions), threads)

    private fun client(conditions: Conditions): HttpClient<*> =
        if (conditions.protocol.multiplexes) {
            // As it comes it asks for HTTP/2 in cleartext by an Upgrade header, and so begins in HTTP/1.1.
            val builder = Http2Client.builder().protocolConfig(Http2ClientProtocolConfig.builder().priorKnowledge(true).build())
            if (configuration == Configuration.Opened) builder.open(conditions)
            builder.build()
        } else {
            val builder = Http1Client.builder()
            if (configuration == Configuration.Opened) builder.open(conditions)
            builder.build()
        }

    private fun HttpClientConfig.BuilderBase<*, *>.open(conditions: Conditions) {
        val timeout = conditions.timeout.toJavaDuration()
        // 10 s as it comes.
        connectTimeout(timeout)
        // 30 s as it comes.
        readTimeout(timeout)
        // 256 as it comes: the idle connections that are kept. It limits none that are in use.
        connectionCacheSize(conditions.inFlight)
        // As it comes all clients of the JVM share one, which nobody closes.
        shareConnectionCache(false)
        // As it comes a body waits for the server's 100 Continue, up to a second.
        sendExpectContinue(false)
    }
}

internal object HelidonListing : Listing {
    private const val IDLE_CONNECTIONS = 256
    private const val OPENED =
        "connect and read time-out as asked, for they are 10 s and 30 s; connectionCacheSize at the requests in flight, for it keeps 256 " +
            "idle ones; shareConnectionCache off, so that its connections can be closed; sendExpectContinue off, so that a body is sent " +
            "at once; HTTP/1.1; "

    private val owners = listOf(ThreadOwner("helidon-.*", "Helidon"))
    private val shared =
        listOf(
            Leftover(
                "helidon-client-\\d+",
                "Helidon's idle connections, which all clients of the JVM share and nobody closes; no thread stays with them",
                connections = IDLE_CONNECTIONS,
            ),
        )

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(info("helidon", "Helidon WebClient", OPENED + "a platform thread a call")) {
                Helidon(Configuration.Opened, CallerThreads.Platform)
            },
            CatalogueEntry(info("helidon-virtual", "Helidon WebClient on virtual threads", OPENED + "a virtual thread a call")) {
                Helidon(Configuration.Opened, CallerThreads.Virtual)
            },
            CatalogueEntry(
                info("helidon@default", "Helidon WebClient as it comes", "a virtual thread a call", shared),
            ) { Helidon(Configuration.Default, CallerThreads.Virtual) },
        )

    private fun info(id: String, title: String, settings: String, expectedLeftovers: List<Leftover> = emptyList()): ClientInfo =
        ClientInfo(
            id,
            title,
            "io.helidon.webclient:helidon-webclient",
            settings,
            expectedLeftovers = expectedLeftovers,
            owners = owners,
            protocols = Protocol.entries,
        )
}

private class HelidonSession(
    private val conditions: Conditions,
    private val client: HttpClient<*>,
    threads: CallerThreads,
) : BlockingSession(threads) {
    private val label = if (conditions.protocol.multiplexes) h2(conditions) else Protocol.Http1.label

    override fun call(request: Request): Reply {
        val asked = client.method(Method.create(request.method)).uri(conditions.baseUrl.resolve(request.path))
        val answer =
            if (request.bodyBytes > 0) {
                asked.header(HeaderNames.CONTENT_LENGTH, request.bodyBytes.toString())
                asked.outputStream { out -> out.use { it.writeZeros(request.bodyBytes) } }
            } else {
                asked.request()
            }
        return answer.use { BodyTally(request).drain(it.inputStream()).reply(it.status().code(), label) }
    }

    override fun close() {
        client.closeResource()
        super.close()
    }
}
