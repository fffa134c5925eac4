package clientlab.clients.recipes

import clientlab.client.*
import clientlab.conduct.observe
import io.kotest.matchers.collections.shouldHaveSize

/** What [client] does in [situation]. */
internal fun fact(situation: String, client: Client): String = observe(client, listOf(situation)).shouldHaveSize(1).single().fact

/** A session whose replies have a [status] alone. */
internal fun session(end: () -> Unit, status: suspend (Request) -> Int): Session = object : Session {
    override suspend fun send(request: Request) = Reply(status(request), 0)

    override fun close() = end()
}
