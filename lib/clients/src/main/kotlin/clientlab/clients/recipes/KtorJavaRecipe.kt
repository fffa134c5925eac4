package clientlab.clients.recipes

import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import io.ktor.client.plugins.HttpTimeout
import java.net.http.HttpClient.Version
import kotlin.time.Duration

/** It has no limit of its own. */
internal fun ktorJava(deadline: Duration): HttpClient = HttpClient(Java) {
    engine {
        // By default each new connection in cleartext asks for an upgrade to HTTP/2.
        protocolVersion = Version.HTTP_1_1
    }
    install(HttpTimeout) {
        // None by default, to connect and for the whole call.
        connectTimeoutMillis = deadline.inWholeMilliseconds
        requestTimeoutMillis = deadline.inWholeMilliseconds
    }
}
