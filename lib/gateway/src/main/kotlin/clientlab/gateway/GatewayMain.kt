package clientlab.gateway

import clientlab.*
import clientlab.client.*
import clientlab.gatewayload.*
import clientlab.probe.*
import clientlab.trial.*
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.ApplicationCall
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.request.uri
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.netty.channel.ChannelOption
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.runBlocking
import java.net.URI
import java.util.ServiceLoader
import java.util.concurrent.CountDownLatch

/**
 * The main of a gateway: reads one [GatewaySpec] from standard input, listens on a free port of the loopback interface, and answers each
 * `GET /delay` by sending the same to the delay server through the client under test. It ends when its standard input does.
 *
 * [Ktor's Netty engine](https://ktor.io/docs/server-engines.html) suspends while a call waits, on event loops of its own: it holds no
 * thread per request, and shares no pool with a client, unlike Ktor's CIO engine, which uses `Dispatchers.IO`. So a limit that is reached is
 * the client's.
 */
public fun main() {
    val out = System.out
    System.setOut(System.err)
    val spec = LabJson.decodeFromString<GatewaySpec>(readln())
    endWithParent()
    val session = client(spec.client).open(Conditions(URI(spec.server), spec.inFlight))
    val port = serve(session)
    out.println(LabJson.encodeToString(GatewayReady(port)))
    out.flush()
    reportCounters(out)
    // The threads of the engine are daemons: this thread keeps the gateway alive.
    CountDownLatch(1).await()
}

/** Starts the server and returns its port. */
private fun serve(session: Session): Int {
    val server = embeddedServer(
        Netty,
        configure = {
            connector {
                host = "127.0.0.1"
                port = 0
            }
            // The longest queue that the system grants: a queue of 128 would drop connections that the client could serve.
            configureBootstrap = { option(ChannelOption.SO_BACKLOG, 4096) }
        },
    ) { routing { get("/delay") { call.forward(session) } } }
    server.start()
    val (connector) = runBlocking { server.engine.resolvedConnectors() }
    return connector.port
}

/** Forwards a call. A failure is sent to the caller by name, because the trial measures how a gateway fails. */
private suspend fun ApplicationCall.forward(session: Session) {
    val (status, text) =
        try {
            val reply = session.send(Request(request.uri))
            HttpStatusCode.fromValue(reply.status) to "ok"
        } catch (e: CancellationException) {
            throw e
        } catch (e: Throwable) {
            HttpStatusCode.BadGateway to "${e.javaClass.simpleName}: ${e.message}"
        }
    respondText(text, status = status)
}

private fun client(id: String): Client {
    val entries = ServiceLoader.load(ClientCatalogue::class.java).flatMap { it.entries }
    val entry = entries.firstOrNull { it.info.id == id }
    return requireNotNull(entry) { "No client '$id' on this classpath; it has ${entries.joinToString { it.info.id }}." }.create()
}
