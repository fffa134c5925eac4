package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import clientlab.clients.okhttp.*
import io.ktor.client.HttpClient
import io.ktor.client.call.body
import io.ktor.client.engine.HttpClientEngineConfig
import io.ktor.client.engine.HttpClientEngineFactory
import io.ktor.client.plugins.contentnegotiation.ContentNegotiation
import io.ktor.client.request.prepareRequest
import io.ktor.client.request.setBody
import io.ktor.client.statement.bodyAsChannel
import io.ktor.http.HttpMethod
import io.ktor.http.HttpProtocolVersion
import io.ktor.http.content.OutgoingContent
import io.ktor.serialization.kotlinx.json.json
import io.ktor.utils.io.ByteWriteChannel
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.seconds

/**
 * A session over [Ktor's client](https://ktor.io/docs/client.html) with any engine; each engine has a file of its own.
 *
 * It streams the body, unless it is to be held in memory as by a plain `client.get()`.
 */
private class KtorSession(private val conditions: Conditions, private val client: HttpClient, private val addresses: Addresses) : Session {
    override suspend fun send(request: Request): Reply {
        val url = addresses.of(request.path)
        if (request.webSocket) return KtorWebSockets.open(client, url, request)
        val statement = client.prepareRequest(url) {
            method = HttpMethod.parse(request.method)
            request.headers.forEach { (name, value) -> headers.append(name, value) }
            if (request.bodyBytes > 0) setBody(ZeroContent(request.bodyBytes))
            if (request.text.isNotEmpty()) setBody(request.text)
        }
        if (request.reading == Reading.InMemory) {
            return statement.execute().let { Reply(it.status.value, it.body<ByteArray>().size.toLong(), spoken(it.version)) }
        }
        return statement.execute { response ->
            val protocol = spoken(response.version)
            if (conditions.payload == Payload.Json) {
                // Decodes as source 004 does, with ContentNegotiation.
                return@execute Reply(response.status.value, protocol = protocol, decoded = response.body<Datetime>())
            }
            val channel = response.bodyAsChannel()
            BodyTally(request).drain({ delay(it) }) { KtorBytes.read(channel, it) }.reply(response.status.value, protocol)
        }
    }

    private fun spoken(version: HttpProtocolVersion): String =
        if (version.major >= 2) conditions.label(http2 = true) else version.toString().lowercase()

    /**
     * Closes the client and waits for all its jobs, because Ktor closes in the background: an engine frees what it holds in a child of
     * the outermost job. The wait has an end, because a call under way keeps the jobs alive.
     */
    @OptIn(ExperimentalCoroutinesApi::class)
    override fun close() {
        client.close()
        blocking { withTimeoutOrNull(5.seconds) { generateSequence(client.coroutineContext.job) { it.parent }.forEach { it.join() } } }
    }
}

/** Opens a session with the engine of [factory], which [configure] sets up; it decodes answers if [conditions] ask for JSON. */
internal fun <C : HttpClientEngineConfig> ktorSession(
    conditions: Conditions,
    factory: HttpClientEngineFactory<C>,
    addresses: Addresses = Addresses(conditions),
    configure: C.() -> Unit,
): Session {
    val client = HttpClient(factory) {
        if (conditions.payload == Payload.Json) install(ContentNegotiation) { json(LabJson) }
        conditions.deadline?.let { KtorDeadline.install(this, it) }
        if (conditions.webSockets) KtorWebSockets.install(this)
        engine(configure)
    }
    return KtorSession(conditions, client, addresses)
}

private class ZeroContent(override val contentLength: Long) : OutgoingContent.WriteChannelContent() {
    override suspend fun writeTo(channel: ByteWriteChannel) {
        val zeros = ByteArray(CHUNK)
        var left = contentLength
        while (left > 0) {
            val length = minOf(left, zeros.size.toLong()).toInt()
            KtorBytes.write(channel, zeros, length)
            left -= length
        }
    }
}
