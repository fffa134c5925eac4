package clientlab.server

import clientlab.server.evidence.*
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit

/** A real server on free ports of loopback, with what a test asks it; closed with everything that was opened to it. */
class RunningServer(settings: ServerSettings = ServerSettings()) : AutoCloseable {
    private val server = DelayServer(settings)
    private val endpoints = server.start()
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private val sockets = ConcurrentLinkedQueue<AutoCloseable>()

    val port: Int get() = endpoints.port
    val controlPort: Int get() = endpoints.controlPort
    val transport: String get() = endpoints.transport
    val certificate: String get() = checkNotNull(endpoints.certificate)
    val tlsPort: Int get() = checkNotNull(endpoints.tlsPort)

    fun get(path: String): HttpResponse<String> = getLater(path).within()

    fun getBytes(path: String): HttpResponse<ByteArray> =
        client.sendAsync(request(endpoints.port, path).build(), HttpResponse.BodyHandlers.ofByteArray()).within()

    fun getLater(path: String): CompletableFuture<HttpResponse<String>> = send(request(endpoints.port, path))

    fun post(path: String, body: ByteArray): HttpResponse<String> =
        send(request(endpoints.port, path).POST(HttpRequest.BodyPublishers.ofByteArray(body))).within()

    fun control(path: String, vararg headers: Pair<String, String>): HttpResponse<String> =
        send(request(endpoints.controlPort, path).with(headers)).within()

    fun controlLater(path: String): CompletableFuture<HttpResponse<String>> = send(request(endpoints.controlPort, path))

    fun controlPost(path: String, vararg headers: Pair<String, String>, body: String = ""): HttpResponse<String> =
        send(request(endpoints.controlPort, path).with(headers).POST(HttpRequest.BodyPublishers.ofString(body))).within()

    /** Returns when so many are in flight; fails where that never happens. */
    fun awaitInFlight(n: Int) {
        val answer = control("/evidence/await?inFlight=$n&timeoutMs=60000").json()
        check(answer["reached"].toString() == "true") { "There were never $n in flight: $answer" }
    }

    fun evidence(): Evidence = server.evidence()

    /** Asks until [condition] holds; a fault ends in the test's own time-out. */
    fun evidenceWhere(condition: (Evidence) -> Boolean): Evidence {
        while (true) {
            val seen = server.evidence()
            if (condition(seen)) return seen
            Thread.yield()
        }
    }

    /** A bare connection to the data port. */
    fun connect(): RawConnection = RawConnection(endpoints.port).also { sockets += it }

    /** A bare connection to the data port that speaks HTTP/2. */
    fun connectHttpTwo(settings: ByteArray = ByteArray(0)): RawHttp2 = RawHttp2(endpoints.port, settings).also { sockets += it }

    /** Ends the server, while what is connected stays as it is. */
    fun leave() = server.close()

    override fun close() {
        sockets.forEach { it.close() }
        client.shutdownNow()
        server.close()
        client.close()
    }

    private fun request(port: Int, path: String): HttpRequest.Builder = HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path"))

    private fun HttpRequest.Builder.with(headers: Array<out Pair<String, String>>): HttpRequest.Builder =
        apply { headers.forEach { (name, value) -> header(name, value) } }

    private fun send(request: HttpRequest.Builder): CompletableFuture<HttpResponse<String>> =
        client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
}

/** A socket that says what it is told to, so that a test can send what no client would. */
class RawConnection(port: Int) : AutoCloseable {
    private val socket = Socket("127.0.0.1", port)
    private val input = socket.getInputStream().buffered()

    fun send(text: String): RawConnection {
        socket.getOutputStream().write(text.encodeToByteArray())
        return this
    }

    fun sendRequest(path: String, vararg headers: String): RawConnection =
        send("GET $path HTTP/1.1\r\nHost: localhost\r\n${headers.joinToString("") { "$it\r\n" }}\r\n")

    /** One line, without its end; null where the server has closed. */
    fun readLine(): String? {
        val line = StringBuilder()
        while (true) {
            val byte = input.read()
            if (byte < 0) return line.toString().ifEmpty { null }
            if (byte == '\n'.code) return line.toString().removeSuffix("\r")
            line.append(byte.toChar())
        }
    }

    /** The next answer: its status line, headers and body. */
    fun readAnswer(): RawAnswer {
        val status = checkNotNull(readLine()) { "The server closed without an answer." }
        val headers = readHeaders()
        val length = headers.first { it.startsWith("content-length: ") }.removePrefix("content-length: ").toInt()
        return RawAnswer(status, headers, input.readNBytes(length).toString(Charsets.ISO_8859_1))
    }

    /** The status line and headers of the next answer, as lines. */
    fun readHead(): String = readLine() + "\n" + readHeaders().joinToString("\n")

    fun readBytes(n: Int): ByteArray = input
        .readNBytes(n)
        .also { check(it.size == n) { "The server closed after ${it.size} of $n bytes." } }

    fun readToEnd(): ByteArray = input.readAllBytes()

    private fun readHeaders(): List<String> = generateSequence { readLine()?.ifEmpty { null } }.toList()

    fun isAtEnd(): Boolean = input.read() < 0

    override fun close() = socket.close()
}

class RawAnswer(val status: String, val headers: List<String>, val body: String)

fun HttpResponse<String>.json(): JsonObject = Json.parseToJsonElement(body()).jsonObject

fun <T> CompletableFuture<T>.within(): T = get(60, TimeUnit.SECONDS)
