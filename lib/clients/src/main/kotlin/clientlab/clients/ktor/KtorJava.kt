package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*
import clientlab.clients.jdk.*
import clientlab.clients.kit.*
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
    override fun open(conditions: Conditions): Session = ktorSession(conditions, Java) {
        // By default, and in the article, it asks for HTTP/2: with an Upgrade header in cleartext, with ALPN over TLS.
        if (configuration.setsProtocol(conditions)) protocolVersion = jdkVersion(conditions.protocol)
        // None by default. Without Ktor's HttpTimeout plugin this is the only time-out.
        if (configuration == Configuration.Opened) config { connectTimeout(conditions.timeout.toJavaDuration()) }
        if (configuration == Configuration.Article) config { connectTimeout(Duration.ofMillis(KtorLibrary.ARTICLE_TIMEOUT_MS)) }
    }
}

internal object KtorJavaListing : Listing {
    private const val STAYS = "the JDK's client, which Ktor does not close; it ends, with its idle connections, when it is collected"
    private const val OPENED =
        "HTTP/1.1, because by default it asks for an upgrade to HTTP/2; connectTimeout as asked, because by default it has none"
    private const val ARTICLE = "connectTimeout 100 s; the protocol stays at HTTP/2, so it asks for an upgrade"
    private const val EVERY_CONNECTION = 100_000

    override val library = "io.ktor:ktor-client-java-jvm"
    override val protocols = Protocol.overTcp
    override val recipe = "KtorJavaRecipe.kt"
    override val timeouts = mapOf(
        TimeoutKind.Connect to TimeoutSetting("connectTimeout"),
        TimeoutKind.Call to TimeoutSetting("HttpTimeout.requestTimeoutMillis"),
    )
    override val owners = JdkListing.owners + KtorLibrary.owners
    override val expectedLeftovers = listOf(Leftover(JdkListing.SELECTOR, STAYS, connections = EVERY_CONNECTION), JdkListing.commonPool)
    override val webSockets = true
    override val needs = KtorLibrary.needs()
    override val entries = listOf(
        entry("ktor-java", "Ktor Java", OPENED) { KtorJava(Configuration.Opened) },
        entry("ktor-java@default", "Ktor Java by default", "none") { KtorJava(Configuration.Default) },
        entry("ktor-java@article", "Ktor Java as in the article", ARTICLE) { KtorJava(Configuration.Article) },
    )
}
