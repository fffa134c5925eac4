package clientlab.server

import clientlab.server.evidence.*
import kotlinx.serialization.json.Json
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.nio.file.Path

/** The server in a process of its own, with the options that it has everywhere; ended and waited for when closed. */
class ServerChild(vararg more: String) : AutoCloseable {
    private val process = ProcessBuilder(command(more.asList())).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val ready = Json.decodeFromString<Ready>(checkNotNull(process.inputReader().readLine()) { "The server did not start." })
    private val client = HttpClient.newHttpClient()

    val port: Int get() = ready.port
    val pid: Long get() = process.pid()

    fun evidence(): Evidence {
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:${ready.controlPort}/evidence")).build()
        return Json.decodeFromString(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
    }

    fun evidenceWhere(condition: (Evidence) -> Boolean): Evidence = generateSequence(::evidence).first(condition)

    /** Resident memory in KiB. */
    fun resident(): Long = Files.readAllLines(proc("status")).first { it.startsWith("VmRSS:") }.filter(Char::isDigit).toLong()

    fun descriptors(): Long = Files.list(proc("fd")).use { it.count() }

    private fun proc(name: String) = Path.of("/proc", "$pid", name)

    override fun close() {
        client.close()
        process.outputStream.close()
        process.waitFor()
    }

    private companion object {
        fun command(more: List<String>): List<String> {
            val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
            val classpath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
            val newer = listOf("@jvm-24.options").filter { Runtime.version().feature() >= 24 }
            val options = listOf("@jvm.options") + newer + "--enable-native-access=ALL-UNNAMED" + more
            return listOf(java) + options + listOf("-cp", classpath, "clientlab.server.ServerMainKt", "--parent-stdin")
        }
    }
}
