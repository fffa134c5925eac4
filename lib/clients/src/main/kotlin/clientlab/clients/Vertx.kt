package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.vertx.core.Future
import io.vertx.core.Promise
import io.vertx.core.buffer.Buffer
import io.vertx.core.http.HttpClientOptions
import io.vertx.core.http.HttpClientRequest
import io.vertx.core.http.HttpClientResponse
import io.vertx.core.http.HttpMethod
import io.vertx.core.http.HttpVersion
import io.vertx.core.http.PoolOptions
import io.vertx.core.http.RequestOptions
import io.vertx.core.internal.buffer.BufferInternal
import kotlinx.coroutines.future.await
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import io.vertx.core.Vertx as VertxLibrary

/** [Vert.x](https://vertx.io/docs/vertx-core/java/#_creating_an_http_client), its HTTP client: event loops, by default on NIO. */
internal class Vertx(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val options = HttpClientOptions()
        val pool = PoolOptions()
        if (configuration == Configuration.Opened) {
            // 60 s by default.
            options.connectTimeout = conditions.timeoutMs
            options.sslHandshakeTimeoutUnit = TimeUnit.MILLISECONDS
            // 10 s by default.
            options.sslHandshakeTimeout = conditions.timeout.inWholeMilliseconds
            // None by default, and it ends kept connections, too. So it stays where nobody asks for one.
            conditions.readTimeout?.let { options.setIdleTimeoutUnit(TimeUnit.MILLISECONDS).readIdleTimeout = conditions.longestReadMs }
            // 5 by default. In HTTP/2 there is one connection, and only the server limits its streams.
            pool.http1MaxSize = conditions.inFlight
        }
        if (configuration.setsProtocol(conditions)) options.speak(conditions.protocol)
        return VertxSession(conditions, options, pool, conditions.timeout.takeIf { configuration == Configuration.Opened })
    }

    /** By default it speaks HTTP/1.1, and asks for HTTP/2 in cleartext with an Upgrade header, so that it begins in HTTP/1.1. */
    private fun HttpClientOptions.speak(protocol: Protocol) {
        protocolVersion = if (protocol.multiplexes) HttpVersion.HTTP_2 else HttpVersion.HTTP_1_1
        isUseAlpn = protocol == Protocol.Http2
        isHttp2ClearTextUpgrade = false
    }
}

internal object VertxListing : Listing {
    private const val OPENED =
        "http1MaxSize of the pool at the requests in flight, because by default it is 5; connect, TLS and request time-out as asked, " +
            "because by default they are 60 s, 10 s and none; HTTP/1.1"

    override val library = "io.vertx:vertx-core"
    override val protocols = Protocol.overTcp
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout", 60.seconds),
        TimeoutKind.Answer to TimeoutSetting("RequestOptions.timeout"),
        TimeoutKind.Read to TimeoutSetting("readIdleTimeout"),
    )
    override val owners = listOf(ThreadOwner("vert\\.x-eventloop-thread-\\d+", "Vert.x event loop"), ThreadOwner("vert\\.?x-.*", "Vert.x"))
    override val entries = listOf(
        entry("vertx", "Vert.x", OPENED) { Vertx(Configuration.Opened) },
        entry("vertx@default", "Vert.x by default", "none", limit = 5) { Vertx(Configuration.Default) },
    )
}

private class VertxSession(
    private val conditions: Conditions,
    options: HttpClientOptions,
    pool: PoolOptions,
    private val timeout: Duration?,
) : Session {
    private val vertx: VertxLibrary = VertxLibrary.vertx()
    private val client = vertx.createHttpClient(options, pool)

    override suspend fun send(request: Request): Reply {
        val tally = if (request.reading == Reading.InMemory) null else BodyTally(request)
        val address = conditions.baseUrl.resolve(request.path).toString()
        val asked = RequestOptions().setMethod(HttpMethod.valueOf(request.method)).setAbsoluteURI(address)
        request.headers.forEach { (name, value) -> asked.putHeader(name, value) }
        // None by default.
        if (timeout != null) asked.timeout = timeout.inWholeMilliseconds
        val reply: Future<Reply> =
            client.request(asked).compose { call ->
                val answer =
                    call.response().compose { response ->
                        val label = label(call.version())
                        if (tally == null) return@compose response.body().map { Reply(response.statusCode(), it.length().toLong(), label) }
                        read(response, tally).map { tally.reply(response.statusCode(), label) }
                    }
                if (request.bodyBytes > 0) call.putHeader("content-length", "${request.bodyBytes}")
                call.write(request.bodyBytes)
                answer
            }
        return reply.toCompletionStage().await()
    }

    /** Completes when [response] is read as far as the request asks. */
    private fun read(response: HttpClientResponse, tally: BodyTally): Future<*> {
        val enough = Promise.promise<Unit>()
        if (tally.reading == Reading.Slowly) response.pause().fetch(1)
        response.handler { piece ->
            tally.add((piece as BufferInternal).byteBuf)
            if (tally.enough) enough.tryComplete()
            if (tally.reading == Reading.Slowly) vertx.setTimer(SLOW_MS) { response.fetch(1) }
        }
        if (tally.reading == Reading.Unread) enough.complete()
        if (tally.reading == Reading.Whole || tally.reading == Reading.Slowly) return response.end()
        return enough.future().onComplete { response.request().reset() }
    }

    /** Writes [left] zero bytes, waits while the connection takes no more, and ends the request. */
    private fun HttpClientRequest.write(left: Long) {
        var more = left
        while (more > 0 && !writeQueueFull()) {
            val chunk = minOf(more, CHUNK.toLong()).toInt()
            write(Buffer.buffer(ByteArray(chunk)))
            more -= chunk
        }
        if (more > 0) drainHandler { write(more) } else end()
    }

    private fun label(version: HttpVersion): String = conditions.label(http2 = version == HttpVersion.HTTP_2)

    override fun close() {
        vertx.close().await(5, TimeUnit.SECONDS)
    }
}
