package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import clientlab.clients.okhttp.*
import io.ktor.client.HttpClient
import io.ktor.client.HttpClientConfig
import io.ktor.client.call.body
import io.ktor.client.plugins.contentnegotiation.ContentNegotiation
import io.ktor.client.request.prepareRequest
import io.ktor.client.request.setBody
import io.ktor.client.statement.HttpResponse
import io.ktor.client.statement.bodyAsChannel
import io.ktor.http.HttpMethod
import io.ktor.http.content.OutgoingContent
import io.ktor.serialization.kotlinx.json.json
import io.ktor.utils.io.ByteWriteChannel
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.job
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.seconds

/**
 * A session over [Ktor's client](https://ktor.io/docs/client.html) with any engine; each engine has a file of its own.
 *
 * It streams the body: a plain `client.get()` would also hold it in memory.
 */
internal class KtorSession(
    private val conditions: Conditions,
    private val client: HttpClient,
    private val addresses: Addresses = Addresses(conditions),
) : Session {
    override suspend fun send(request: Request): Reply {
        val url = addresses.of(request.path)
        val statement =
            client.prepareRequest(url) {
                method = HttpMethod.parse(request.method)
                if (request.bodyBytes > 0) setBody(ZeroContent(request.bodyBytes))
            }
        return statement.execute { response ->
            if (conditions.payload == Payload.Json) return@execute decoded(response)
            val channel = response.bodyAsChannel()
            val tally = BodyTally(request)
            val chunk = ByteArray(CHUNK)
            while (true) {
                val length = KtorBytes.read(channel, chunk)
                if (length < 0) break
                tally.add(chunk, length)
            }
            val version = response.version
            tally.reply(response.status.value, if (version.major >= 2) h2(conditions) else version.toString().lowercase())
        }
    }

    /** Decodes as source 004 does, with the plugin that [read] installs. */
    private suspend fun decoded(response: HttpResponse): Reply {
        val protocol = if (response.version.major >= 2) h2(conditions) else response.version.toString().lowercase()
        return Reply(response.status.value, protocol = protocol, decoded = response.body<Datetime>())
    }

    /**
     * Closes the client and waits for all its jobs, because Ktor closes in the background: an engine frees what it holds in a child of
     * the outermost job. The wait has an end, because a call under way keeps the jobs alive.
     */
    @OptIn(ExperimentalCoroutinesApi::class)
    override fun close() {
        client.close()
        blocking {
            withTimeoutOrNull(CLOSING) {
                generateSequence(client.coroutineContext.job) { it.parent }.forEach { it.join() }
            }
        }
    }

    private companion object {
        val CLOSING = 5.seconds
    }
}

/** Installs the plugin that decodes JSON if [conditions] ask for JSON; for plain bytes it installs nothing. */
internal fun HttpClientConfig<*>.read(conditions: Conditions) {
    if (conditions.payload == Payload.Json) install(ContentNegotiation) { json(LabJson) }
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
