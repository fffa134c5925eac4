package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import clientlab.clients.okhttp.*
import io.ktor.client.HttpClient
import io.ktor.client.engine.okhttp.OkHttp as OkHttpEngine

/**
 * [Ktor's OkHttp engine](https://ktor.io/docs/client-engines.html#okhttp): one thread of OkHttp's dispatcher per call, under Ktor's
 * pipeline.
 *
 * [open] and [protocol] set what is not the default, and say why. The article sets the same, with time-outs of 100 s.
 */
internal class KtorOkHttp(private val configuration: Configuration, private val attempt: OkHttpAttempt? = null) : Client {
    override fun open(conditions: Conditions): Session {
        val client =
            HttpClient(OkHttpEngine) {
                read(conditions)
                engine {
                    config {
                        if (configuration == Configuration.Opened) open(conditions)
                        set(attempt, conditions)
                        if (configuration.setsProtocol(conditions)) protocol(conditions.protocol)
                    }
                }
            }
        return KtorSession(conditions, client, Addresses(conditions, attempt))
    }
}

internal object KtorOkHttpListing : Listing {
    override val needs: LibraryNeeds = KtorLibrary.needs(json = true)

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(info("ktor-okhttp", "Ktor OkHttp", OkHttpListing.OPENED)) { KtorOkHttp(Configuration.Opened) },
            CatalogueEntry(info("ktor-okhttp@default", "Ktor OkHttp by default", "none", OkHttpListing.PER_HOST)) {
                KtorOkHttp(Configuration.Default)
            },
        ) +
            OkHttpAttempt.entries.map { attempt ->
                val info = info("ktor-okhttp@${attempt.id}", "Ktor OkHttp ${attempt.title}", attempt.words, attempt.limit)
                CatalogueEntry(info.copy(protocols = attempt.protocols)) { KtorOkHttp(Configuration.Default, attempt) }
            }

    private fun info(id: String, title: String, settings: String, limit: Int? = null): ClientInfo =
        ClientInfo(
            id,
            title,
            "io.ktor:ktor-client-okhttp-jvm",
            settings,
            limit,
            OkHttpListing.expectedLeftovers,
            OkHttpListing.owners + KtorThreads.owners,
            OkHttpListing.callFrames,
            payloads = Payload.entries,
            protocols = Protocol.entries,
            threadPerRequest = true,
        )
}
