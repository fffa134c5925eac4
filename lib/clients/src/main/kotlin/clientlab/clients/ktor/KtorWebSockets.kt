package clientlab.clients.ktor

import clientlab.client.*
import clientlab.clients.kit.*
import io.ktor.client.HttpClient
import io.ktor.client.HttpClientConfig
import io.ktor.client.plugins.websocket.WebSockets
import io.ktor.client.plugins.websocket.webSocket
import io.ktor.websocket.readBytes
import kotlinx.coroutines.delay

/** Ktor's plugin for WebSockets, in a file of its own, so that a session without them does not load it. */
internal object KtorWebSockets {
    fun install(client: HttpClientConfig<*>): Unit = client.install(WebSockets)

    /** Opens the WebSocket at [url] and reads its messages until it is closed. */
    suspend fun open(client: HttpClient, url: String, request: Request): Reply {
        val tally = BodyTally(request)
        client.webSocket(url.replaceFirst("http", "ws")) {
            for (frame in incoming) {
                tally.add(frame.readBytes().size)
                if (tally.reading == Reading.Slowly) delay(SLOW_MS)
            }
        }
        return tally.reply(OPENED, null)
    }
}
