package clientlab.clients.recipes

import clientlab.client.*
import clientlab.conduct.observe
import io.kotest.matchers.collections.shouldHaveSize
import kotlinx.coroutines.future.await
import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.reactive.function.client.WebClient
import reactor.netty.resources.ConnectionProvider
import java.net.URI
import reactor.netty.http.client.HttpClient as ReactorHttpClient

/** What [client] does in [situation]. */
internal fun fact(situation: String, client: Client): String = observe(client, listOf(situation)).shouldHaveSize(1).single().fact

/** A session whose replies have a [status] alone. */
internal fun session(end: () -> Unit, status: suspend (Request) -> Int): Session = object : Session {
    override suspend fun send(request: Request) = Reply(status(request), 0)

    override fun close() = end()
}

internal fun webClient(pool: ConnectionProvider): WebClient = webClient(ReactorHttpClient.create(pool))

internal fun webClient(http: ReactorHttpClient): WebClient =
    WebClient.builder().clientConnector(ReactorClientHttpConnector(http)).build()

internal suspend fun WebClient.status(url: URI): Int =
    get().uri(url).exchangeToMono { it.releaseBody().thenReturn(it.statusCode().value()) }.toFuture().await()!!
