package clientlab.clients

import clientlab.ClientInfo
import clientlab.Payload
import clientlab.Protocol
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.LibraryNeeds
import clientlab.client.Session
import io.ktor.client.HttpClient
import io.ktor.client.engine.okhttp.OkHttp as OkHttpEngine

/**
 * [Ktor's OkHttp engine](https://ktor.io/docs/client-engines.html#okhttp): one thread of OkHttp's dispatcher a call, under Ktor's pipeline.
 *
 * What is set, and why, stands at [open] and [protocol]; the article sets the same, with time-outs of 100 s.
 */
internal class KtorOkHttp(
    private val configuration: Configuration,
    private val attempt: OkHttpAttempt? = null,
) : Client {
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
            CatalogueEntry(info("ktor-okhttp@default", "Ktor OkHttp as it comes", "none", OkHttpListing.PER_HOST)) {
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
        )
}
