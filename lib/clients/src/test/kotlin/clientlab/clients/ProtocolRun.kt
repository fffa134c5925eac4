package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.probe.*
import clientlab.trial.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.Serializable
import kotlinx.serialization.encodeToString
import kotlin.time.Duration.Companion.seconds

/** What one client is asked to send, and in which protocol. */
@Serializable
internal data class ProtocolAsked(
    val client: String,
    val protocol: Protocol,
    val server: ServerAddress,
    val requests: Int,
    val bodyBytes: Long,
)

/** What came back: how often each status and protocol, or the failure. */
@Serializable
internal data class ProtocolSeen(val told: Map<String, Int> = emptyMap(), val failure: String? = null)

/** Does what each line of standard input asks, with one session per line; [arguments] is the certificate to trust. */
internal fun main(arguments: Array<String>) {
    ServerTrust(arguments.single()).use {
        generateSequence(::readlnOrNull).forEach { line ->
            val asked = LabJson.decodeFromString<ProtocolAsked>(line)
            val seen = runCatching { asked.send() }.getOrElse { ProtocolSeen(failure = it.stackTraceToString()) }
            println(LabJson.encodeToString(seen))
        }
    }
}

private fun ProtocolAsked.send(): ProtocolSeen {
    val conditions = Conditions(server.url(protocol), requests, protocol, timeout = PATIENCE)
    val entry = Catalogue().entries.single { it.info.id == client }
    val replies: List<Reply> =
        entry.create().open(conditions).use { session ->
            runBlocking(Dispatchers.Default) {
                withTimeout(PATIENCE) {
                    val downloads = List(requests) { async { session.send(Request("/delay?delay=0&a=protocol")) } }.awaitAll()
                    // After the others: a client that begins in HTTP/1.1 and asks for an upgrade cannot begin with a body.
                    downloads + session.send(Request("/sink", "POST", bodyBytes))
                }
            }
        }
    return ProtocolSeen(replies.groupingBy { "${it.status} ${it.protocol}" }.eachCount())
}

private val PATIENCE = 30.seconds
