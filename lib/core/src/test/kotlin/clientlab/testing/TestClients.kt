package clientlab.testing

import clientlab.*
import clientlab.client.*
import kotlinx.coroutines.future.await
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import java.io.IOException
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.util.concurrent.atomic.AtomicInteger

internal fun info(id: String, limit: Int? = null, expectedLeftovers: List<Leftover> = emptyList()) =
    ClientInfo(
        id = id,
        title = id,
        library = "test:$id",
        settings = "none",
        limit = limit,
        expectedLeftovers = expectedLeftovers,
        protocols = Protocol.overTcp,
    )

/** A client that opens [session]; not a lambda, for a test's clients need not travel. */
internal fun client(session: (Conditions) -> Session): Client = Client { session(it) }

/** The plainest client there is: a socket and a thread a request. */
internal class SocketSession(
    private val conditions: Conditions,
    threads: CallerThreads = CallerThreads.Platform,
) : BlockingSession(threads) {
    public override fun call(request: Request): Reply =
        Socket(conditions.baseUrl.host, conditions.baseUrl.port).use { socket ->
            val head = "${request.method} ${request.path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            socket.getOutputStream().write(head.encodeToByteArray())
            val answer = socket.getInputStream().readAllBytes().decodeToString()
            if (answer.isEmpty()) throw IOException("closed without an answer")
            Reply(answer.substringAfter(' ').substringBefore(' ').toInt())
        }
}

/** The JDK's client, asynchronous. */
internal class AsyncSession(private val conditions: Conditions) : Session {
    private val client =
        HttpClient
            .newBuilder()
            .version(if (conditions.protocol.multiplexes) HttpClient.Version.HTTP_2 else HttpClient.Version.HTTP_1_1)
            .build()

    override suspend fun send(request: Request): Reply {
        val uri: URI = conditions.baseUrl.resolve(request.path)
        return Reply(client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).await().statusCode())
    }

    override fun close() = client.close()

    companion object {
        val LEAVES = listOf(Leftover("HttpClient-\\d+-Worker-\\d+", "the JDK's cached pool", atMost = 1000))
    }
}

/** A session that does with [next] what [around] says; the number of the call comes first. */
internal class Around(
    private val next: Session,
    private val onClose: () -> Unit = {},
    private val around: suspend (Int, suspend () -> Reply) -> Reply = { _, send -> send() },
) : Session {
    private val calls = AtomicInteger()

    override suspend fun send(request: Request): Reply = around(calls.getAndIncrement()) { next.send(request) }

    override fun close() {
        next.close()
        onClose()
    }
}

/** A session that never has more than [limit] in flight. */
internal fun limited(conditions: Conditions, limit: Int): Session {
    val permits = Semaphore(limit)
    return Around(SocketSession(conditions)) { _, send -> permits.withPermit { send() } }
}

/** What trial JVMs of tests find on their classpath. */
internal class TestCatalogue : ClientCatalogue {
    override val entries =
        listOf(
            CatalogueEntry(info("test-socket")) { client(::SocketSession) },
            CatalogueEntry(info("test-jdk", expectedLeftovers = AsyncSession.LEAVES)) { client(::AsyncSession) },
            CatalogueEntry(info("test-talker")) {
                client {
                    println("What a library prints must not come between the lines.")
                    SocketSession(it)
                }
            },
        )
}
