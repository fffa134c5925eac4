package clientlab.clients.jdk

import clientlab.client.*
import clientlab.clients.kit.*
import kotlinx.coroutines.future.await
import java.net.URI
import java.net.http.HttpClient
import java.net.http.WebSocket
import java.nio.ByteBuffer
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicReference

/** A WebSocket of the JDK's client, which hands over the next message when it is asked for it. */
internal class JdkWebSocket(request: Request) : WebSocket.Listener {
    private val tally = BodyTally(request)
    private val closed = CompletableFuture<Reply>()
    private val later: Executor = CompletableFuture.delayedExecutor(SLOW_MS, TimeUnit.MILLISECONDS)

    private val opened = AtomicReference<WebSocket>()

    @Volatile private var isLeft = false

    /** Opens it at [address] and waits until it is closed. */
    suspend fun open(client: HttpClient, address: URI): Reply {
        val scheme = if (address.scheme == "https") "wss" else "ws"
        try {
            client.newWebSocketBuilder().buildAsync(URI("$scheme:${address.schemeSpecificPart}"), this).await()
            return closed.await()
        } finally {
            isLeft = true
            opened.get()?.abort()
        }
    }

    /** A caller who leaves while it is being opened would not get it any more, and nobody would close it. */
    override fun onOpen(socket: WebSocket) {
        opened.set(socket)
        if (isLeft) socket.abort() else socket.request(1)
    }

    override fun onText(socket: WebSocket, data: CharSequence, last: Boolean): CompletionStage<*>? = read(socket, data.length)

    override fun onBinary(socket: WebSocket, data: ByteBuffer, last: Boolean): CompletionStage<*>? = read(socket, data.remaining())

    private fun read(socket: WebSocket, bytes: Int): CompletionStage<*>? {
        tally.add(bytes)
        if (tally.reading == Reading.Slowly) later.execute { socket.request(1) } else socket.request(1)
        return null
    }

    override fun onClose(socket: WebSocket, statusCode: Int, reason: String): CompletionStage<*>? {
        closed.complete(tally.reply(OPENED, null))
        return null
    }

    override fun onError(socket: WebSocket, error: Throwable) {
        closed.completeExceptionally(error)
    }
}
