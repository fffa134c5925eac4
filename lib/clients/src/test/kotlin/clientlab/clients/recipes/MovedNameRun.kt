package clientlab.clients.recipes

import clientlab.client.*
import clientlab.conduct.observe
import java.net.HttpURLConnection
import java.security.Security

/** Prints what a client does when a name moves, in a JVM that remembers an address for as many seconds as the argument says. */
fun main(arguments: Array<String>) {
    Security.setProperty("networkaddress.cache.ttl", arguments[0])
    val client = Client { conditions ->
        object : Session {
            override suspend fun send(request: Request): Reply {
                val connection = conditions.baseUrl.resolve(request.path).toURL().openConnection() as HttpURLConnection
                val bytes = connection.inputStream.use { it.readBytes() }
                return Reply(connection.responseCode, bytes.size.toLong())
            }

            override fun close() = Unit
        }
    }
    println(observe(client, listOf("names.moved")).single().fact)
}
