package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import clientlab.clients.okhttp.*
import kotlin.time.Duration.Companion.seconds
import io.ktor.client.engine.okhttp.OkHttp as OkHttpEngine

/**
 * [Ktor's OkHttp engine](https://ktor.io/docs/client-engines.html#okhttp): one thread of OkHttp's dispatcher per call, under Ktor's
 * pipeline.
 *
 * [open] and [protocol] set what is not the default, and say why. The article sets the same, but for the pool, with time-outs of 100 s.
 */
internal class KtorOkHttp(private val configuration: Configuration, private val attempt: OkHttpAttempt? = null) : Client {
    override fun open(conditions: Conditions): Session = ktorSession(conditions, OkHttpEngine, Addresses(conditions, attempt)) {
        config {
            if (configuration == Configuration.Opened) open(conditions)
            set(attempt, conditions)
            if (configuration.setsProtocol(conditions)) protocol(conditions.protocol)
        }
    }
}

/** The same engine with a client of the caller's, which has the settings that the others are given here. */
internal class KtorOkHttpPreconfigured : Client {
    override fun open(conditions: Conditions): Session {
        val client = okHttpClient(Configuration.Opened, conditions)
        val session = ktorSession(conditions, OkHttpEngine) { preconfigured = client }
        return object : Session by session {
            /** Ktor leaves a client that it was given as it is. */
            override fun close() {
                session.close()
                client.shutDown()
            }
        }
    }
}

internal object KtorOkHttpListing : Listing {
    private const val PRECONFIGURED = "an OkHttpClient as preconfigured; " + OkHttpListing.OPENED

    override val library = "io.ktor:ktor-client-okhttp-jvm"
    override val protocols = Protocol.overTcp
    override val recipe = "KtorOkHttpRecipe.kt"
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("HttpTimeout.connectTimeoutMillis", 10.seconds),
        TimeoutKind.Read to TimeoutSetting("HttpTimeout.socketTimeoutMillis", 10.seconds),
        TimeoutKind.Call to TimeoutSetting("HttpTimeout.requestTimeoutMillis"),
    )
    override val payloads = Payload.entries
    override val webSockets = true
    override val expectedLeftovers = OkHttpListing.expectedLeftovers
    override val callFrames = OkHttpListing.callFrames
    override val owners = OkHttpListing.owners + KtorLibrary.owners
    override val needs = KtorLibrary.needs(json = true)
    override val entries = listOf(
        entry("ktor-okhttp", "Ktor OkHttp", OkHttpListing.OPENED, threadPerRequest = true) { KtorOkHttp(Configuration.Opened) },
        entry("ktor-okhttp@default", "Ktor OkHttp by default", "none", OkHttpListing.PER_HOST, threadPerRequest = true) {
            KtorOkHttp(Configuration.Default)
        },
        entry("ktor-okhttp@preconfigured", "Ktor OkHttp with a client of its own", PRECONFIGURED, threadPerRequest = true) {
            KtorOkHttpPreconfigured()
        },
    ) + attempts("ktor-okhttp", "Ktor OkHttp") { KtorOkHttp(it.configuration, it) }
}
