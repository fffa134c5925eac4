package clientlab.gateway

import clientlab.LabJson
import clientlab.client.Client
import clientlab.client.ClientCatalogue
import clientlab.client.Conditions
import clientlab.client.Request
import clientlab.client.Session
import clientlab.gatewayload.GatewayReady
import clientlab.gatewayload.GatewaySpec
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.engine.EngineConnectorBuilder
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
 * thread a request, and shares no pool with any client, as Ktor's CIO engine would share `Dispatchers.IO`. So what runs out is the client's.
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
    // The threads of the engine are daemons: it is this one that keeps the gateway alive.
    CountDownLatch(1).await()
}

/** Starts the server and returns its port. */
private fun serve(session: Session): Int {
    val server =
        embeddedServer(
            Netty,
            configure = {
                connectors.add(
                    EngineConnectorBuilder().apply {
                        host = "127.0.0.1"
                        port = 0
                    },
                )
                // As long as the system grants: a queue of 128 would drop connections that the client could have served.
                configureBootstrap = { option(ChannelOption.SO_BACKLOG, BACKLOG) }
            },
        ) { gateway(session) }
    server.start()
    return runBlocking {
        server.engine
            .resolvedConnectors()
            .first()
            .port
    }
}

private fun Application.gateway(session: Session) {
    routing { get("/delay") { call.forward(session) } }
}

/** What goes wrong is told to the caller by name: how a gateway fails is what is measured. */
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

private fun endWithParent() {
    Thread.ofPlatform().daemon().name("lab-parent").start {
        while (System.`in`.read() >= 0) Unit
        Runtime.getRuntime().halt(ORPHANED)
    }
}

private const val BACKLOG = 4096
private const val ORPHANED = 3
