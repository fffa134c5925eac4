package clientlab.clients.recipes

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers

/** Asks the address named first twice, with a pause of so many milliseconds between, and prints both statuses. */
fun main(arguments: Array<String>) {
    val request = HttpRequest.newBuilder(URI(arguments[0])).build()
    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().use { http ->
        val first = http.send(request, BodyHandlers.ofString()).statusCode()
        Thread.sleep(arguments[1].toLong())
        println("$first ${http.send(request, BodyHandlers.ofString()).statusCode()}")
    }
}
