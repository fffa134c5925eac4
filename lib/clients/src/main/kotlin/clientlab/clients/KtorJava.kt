package clientlab.clients

import clientlab.ClientInfo
import clientlab.Leftover
import clientlab.Protocol
import clientlab.client.CatalogueEntry
import clientlab.client.Client
import clientlab.client.Conditions
import clientlab.client.LibraryNeeds
import clientlab.client.Session
import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import java.time.Duration
import kotlin.time.toJavaDuration

/**
 * [Ktor's Java engine](https://ktor.io/docs/client-engines.html#java) over the JDK's client, whose work it puts on `Dispatchers.IO`.
 *
 * Ktor forgets the JDK's client when it is closed and does not close it, so that its selector thread and its idle connections stay
 * until the garbage collector finds it.
 */
internal class KtorJava(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val client =
            HttpClient(Java) {
                engine {
                    // As it comes, and in the article, it asks for HTTP/2: by an Upgrade header in cleartext, by ALPN over TLS.
                    if (configuration.setsProtocol(conditions)) {
                        protocolVersion = jdkVersion(conditions.protocol)
                    }
                    // None as it comes. There is no other time-out without Ktor's HttpTimeout plugin.
                    when (configuration) {
                        Configuration.Opened -> config { connectTimeout(conditions.timeout.toJavaDuration()) }
                        Configuration.Article -> config { connectTimeout(Duration.ofMillis(ARTICLE_TIMEOUT_MS)) }
                        Configuration.Default -> Unit
                    }
                }
            }
        return KtorSession(conditions, client)
    }
}

internal object KtorJavaListing : Listing {
    /** Stays, and keeps its idle connections, until the JDK's client is collected. */
    const val SELECTOR: String = "HttpClient-\\d+-SelectorManager"

    private const val EVERY_CONNECTION = 100_000

    private val expectedLeftovers =
        listOf(
            Leftover(
                SELECTOR,
                "the JDK's client, which Ktor does not close; ends, with its idle connections, when it is collected",
                connections = EVERY_CONNECTION,
            ),
            JdkListing.commonPool,
        )

    override val needs: LibraryNeeds = KtorLibrary.needs()

    override val entries: List<CatalogueEntry> =
        listOf(
            CatalogueEntry(
                info(
                    "ktor-java",
                    "Ktor Java",
                    "HTTP/1.1, for it asks for an upgrade to HTTP/2 as it comes; connectTimeout as asked, for it has none",
                ),
            ) { KtorJava(Configuration.Opened) },
            CatalogueEntry(info("ktor-java@default", "Ktor Java as it comes", "none")) { KtorJava(Configuration.Default) },
            CatalogueEntry(
                info(
                    "ktor-java@article",
                    "Ktor Java as in the article",
                    "connectTimeout 100 s; the protocol stays at HTTP/2, so that it asks for an upgrade",
                ),
            ) { KtorJava(Configuration.Article) },
        )

    private fun info(id: String, title: String, settings: String): ClientInfo =
        ClientInfo(
            id,
            title,
            "io.ktor:ktor-client-java-jvm",
            settings,
            expectedLeftovers = expectedLeftovers,
            owners = JdkListing.owners + KtorThreads.owners,
            protocols = Protocol.entries,
        )
}
