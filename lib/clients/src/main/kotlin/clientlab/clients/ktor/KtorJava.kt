package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.jdk.*
import clientlab.clients.kit.*
import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import java.time.Duration
import kotlin.time.toJavaDuration

/**
 * [Ktor's Java engine](https://ktor.io/docs/client-engines.html#java) over the JDK's client, whose work it runs on `Dispatchers.IO`.
 *
 * A closed Ktor client drops the JDK's client without closing it. The selector thread and the idle connections stay until the garbage
 * collector finds it.
 */
internal class KtorJava(private val configuration: Configuration) : Client {
    override fun open(conditions: Conditions): Session {
        val client =
            HttpClient(Java) {
                engine {
                    // By default, and in the article, it asks for HTTP/2: with an Upgrade header in cleartext, with ALPN over TLS.
                    if (configuration.setsProtocol(conditions)) protocolVersion = jdkVersion(conditions.protocol)
                    // None by default. Without Ktor's HttpTimeout plugin this is the only time-out.
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
    /** The thread that stays, with its idle connections, until the JDK's client is collected. */
    const val SELECTOR: String = "HttpClient-\\d+-SelectorManager"

    private const val EVERY_CONNECTION = 100_000

    private val expectedLeftovers =
        listOf(
            Leftover(
                SELECTOR,
                "the JDK's client, which Ktor does not close; it ends, with its idle connections, when it is collected",
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
                    "HTTP/1.1, because by default it asks for an upgrade to HTTP/2; connectTimeout as asked, because by default it has " +
                        "none",
                ),
            ) { KtorJava(Configuration.Opened) },
            CatalogueEntry(info("ktor-java@default", "Ktor Java by default", "none")) { KtorJava(Configuration.Default) },
            CatalogueEntry(
                info(
                    "ktor-java@article",
                    "Ktor Java as in the article",
                    "connectTimeout 100 s; the protocol stays at HTTP/2, so it asks for an upgrade",
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
