package clientlab.clients

import clientlab.*
import clientlab.probe.*
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.decodeFromJsonElement
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.locks.LockSupport

/** The delay server in a process of its own, and its evidence. */
internal class RealServer(options: List<String> = emptyList()) : AutoCloseable {
    private val process = ChildJvm("clientlab.server.ServerMainKt", listOf("--parent-stdin", "--hosts", "20") + options)
    private val ready: JsonObject = Json.parseToJsonElement(process.line()).jsonObject
    private val control = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    val baseUrl: URI = URI("http://127.0.0.1:${ready.int("port")}")
    val controlPort: Int = ready.int("controlPort")

    /** The address that a trial gets. */
    val address: ServerAddress = LabJson.decodeFromJsonElement(ready)

    /** How many loopback addresses it listens at: 20, or as many as the system has. */
    val hosts: Int get() = address.hosts

    fun evidence(): JsonObject = ask(HttpRequest.newBuilder(controlUrl("/evidence")).build())

    fun reset(): JsonObject = ask(HttpRequest.newBuilder(controlUrl("/evidence/reset")).POST(HttpRequest.BodyPublishers.noBody()).build())

    /** Asks for the evidence again and again until [met], for at most [seconds]; returns the last answer. */
    fun await(seconds: Int, met: (JsonObject) -> Boolean): JsonObject {
        val deadline = System.nanoTime() + seconds * 1_000_000_000L
        while (true) {
            val seen = evidence()
            if (met(seen) || System.nanoTime() > deadline) return seen
            // Leaves the processors to the client and the server.
            LockSupport.parkNanos(5_000_000)
        }
    }

    override fun close() {
        control.close()
        process.close()
    }

    private fun ask(request: HttpRequest): JsonObject =
        Json.parseToJsonElement(control.send(request, HttpResponse.BodyHandlers.ofString()).body()).jsonObject

    private fun controlUrl(path: String) = URI("http://127.0.0.1:${ready.int("controlPort")}$path")
}

internal fun JsonObject.int(name: String): Int = getValue(name).jsonPrimitive.int

/** The requests that the server saw, by protocol. */
internal fun JsonObject.byProtocol(): Map<String, Int> =
    getValue("requestsByProtocol").jsonObject.mapValues { (_, requests) -> requests.jsonPrimitive.int }
