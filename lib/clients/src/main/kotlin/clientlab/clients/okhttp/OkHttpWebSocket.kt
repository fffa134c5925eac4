package clientlab.clients.okhttp

import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import okhttp3.OkHttpClient
import okhttp3.Response
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import okio.ByteString
import okhttp3.Request as OkHttpRequest

/** A WebSocket of OkHttp. A thread of the dispatcher reads it, one message after the other, until it is closed. */
internal class OkHttpWebSocket(request: Request) : WebSocketListener() {
    private val tally = BodyTally(request)
    private lateinit var waiting: CancellableContinuation<Reply>

    /** Opens it as [asked] and waits until it is closed. */
    suspend fun open(client: OkHttpClient, asked: OkHttpRequest): Reply = suspendCancellableCoroutine { continuation ->
        waiting = continuation
        val socket = client.newWebSocket(asked, this)
        continuation.invokeOnCancellation { socket.cancel() }
    }

    override fun onMessage(webSocket: WebSocket, text: String): Unit = read(text.length)

    override fun onMessage(webSocket: WebSocket, bytes: ByteString): Unit = read(bytes.size)

    private fun read(bytes: Int) {
        tally.add(bytes)
        if (tally.reading == Reading.Slowly) Thread.sleep(SLOW_MS)
    }

    override fun onClosing(webSocket: WebSocket, code: Int, reason: String) {
        webSocket.close(code, reason)
    }

    override fun onClosed(webSocket: WebSocket, code: Int, reason: String): Unit = waiting.end(Result.success(tally.reply(OPENED, null)))

    override fun onFailure(webSocket: WebSocket, t: Throwable, response: Response?): Unit = waiting.end(Result.failure(t))
}
