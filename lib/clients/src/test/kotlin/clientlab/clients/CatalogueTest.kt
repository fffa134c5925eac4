package clientlab.clients

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotBeBlank
import org.junit.jupiter.api.Test
import java.nio.file.Path
import java.util.ServiceLoader
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.walk

class CatalogueTest {
    private val infos: List<ClientInfo> = Catalogue().entries.map { it.info }
    private val opened: List<String> = infos.filter { it.configuration == ClientInfo.OPENED }.map { it.id }

    @Test
    fun `ids are unique, and titles too`() {
        infos.map { it.id }.shouldBeUnique()
        infos.map { it.title }.shouldBeUnique()
    }

    @Test
    fun `the clients of published figures keep their order, and new ones come after them`() {
        opened.take(PUBLISHED.size) shouldBe PUBLISHED
        infos.map { it.id } shouldBe infos.map { it.id }.sortedBy { "@" in it }
    }

    @Test
    fun `every adapter is in the catalogue`() {
        val adapters = ADAPTERS.map { ADAPTER.find(it.readText())?.groupValues?.get(1) ?: "no listing in ${it.name}" }
        val listed = Path.of("src/main/kotlin/clientlab/clients/Catalogue.kt").readText()
        adapters.filter { "$it," !in listed }.let { missing ->
            withClue("Add these to the list in Catalogue.kt, one line each") { missing.shouldBeEmpty() }
        }
    }

    @Test
    fun `every adapter begins with a link to its library`() {
        ADAPTERS.forEach { file ->
            withClue("${file.name}: begin the KDoc of its client with [the library's name](https://its.page)") {
                file.readText().substringAfter("/**").substringBefore("*/") shouldContain Regex("\\[[^]]+]\\(https://[^)]+\\)")
            }
        }
    }

    @Test
    fun `the article's own settings are there where they differ`() {
        infos
            .map {
                it.id
            }.shouldContainAll("retrofit@article", "ktor-apache@article", "ktor-apache5@article", "ktor-java@article", "ktor-cio@article")
    }

    @Test
    fun `an opened client has no limit`() {
        infos.filter { it.configuration == ClientInfo.OPENED }.forEach { withClue(it.id) { it.limit.shouldBeNull() } }
    }

    @Test
    fun `every client says what its library and its settings are`() {
        infos.forEach {
            withClue(it.id) {
                it.title.shouldNotBeBlank()
                it.settings.shouldNotBeBlank()
                it.library.split(':').size shouldBe 2
            }
        }
    }

    @Test
    fun `a configuration stands beside an opened client of the same name`() {
        infos.map { it.id.substringBefore('@') }.distinct() shouldBe opened
    }

    @Test
    fun `every client speaks HTTP 1, and each known one as much of HTTP 2 as it did`() {
        infos.forEach {
            withClue("${it.id}: protocols is HTTP_1, or begins with Protocol.Http1 and names each protocol once") {
                (it.protocols.distinct() == it.protocols && Protocol.Http1 in it.protocols) shouldBe true
            }
        }
        val http1 = infos.filter { it.protocols == HTTP_1 }.map { it.id.substringBefore('@') }.distinct()
        http1.filter { it in PUBLISHED } shouldBe
            listOf(
                "ktor-apache",
                "ktor-cio",
                "fuel",
                "urlconnection",
                "urlconnection-virtual",
                "spring-restclient",
                "spring-restclient-virtual",
                "netty-alone",
            )
    }

    @Test
    fun `what a client leaves and owns are regular expressions`() {
        infos.flatMap { info -> info.expectedLeftovers.map { it.thread } + info.owners.map { it.thread } }.map(::Regex).shouldNotBeEmpty()
    }

    @Test
    fun `the catalogue is found as a service`() {
        ServiceLoader.load(ClientCatalogue::class.java).single()::class shouldBe Catalogue::class
    }

    @Test
    fun `listing clients loads none of their libraries`() {
        ChildJvm("clientlab.clients.ListingRunKt", emptyList(), listOf("-Xlog:class+load:stdout")).use { child ->
            val loaded = generateSequence { child.line() }.takeWhile { it != LISTED }.toList()
            loaded.shouldNotBeEmpty()
            withClue("A Listing names a class of its library: name it in the client or its session instead") {
                loaded.filter { line -> LIBRARY_JAR.containsMatchIn(line) || JDK_CLIENTS.any { it in line } }.shouldBeEmpty()
            }
        }
    }

    private companion object {
        /** A class from a jar that is neither Kotlin's nor this project's; the JDK's classes come from its image. */
        val LIBRARY_JAR = Regex("source: .*/(?!client-lab-|kotlin-stdlib|kotlinx-(serialization|coroutines)|annotations-)[^/]+\\.jar")
        val JDK_CLIENTS = listOf(" java.net.http.", " sun.net.www.http.")
        val ADAPTER = Regex("internal object (\\w+) : Listing")

        /** Every file of an adapter: it has a listing, which the interface itself has not. */
        val ADAPTERS: List<Path> =
            Path
                .of("src/main/kotlin/clientlab/clients")
                .walk()
                .filter { it.extension == "kt" && ": Listing {" in it.readText() }
                .toList()

        /** The opened clients of the figures that were published first, in the order of the article and then of the additions. */
        val PUBLISHED =
            listOf(
                "retrofit",
                "retrofit-virtual",
                "ktor-okhttp",
                "ktor-apache",
                "ktor-apache5",
                "ktor-java",
                "ktor-cio",
                "fuel",
                "okhttp",
                "okhttp-virtual",
                "jdk",
                "jdk-blocking",
                "apache5-async",
                "urlconnection",
                "urlconnection-virtual",
                "spring-webclient",
                "spring-restclient",
                "spring-restclient-virtual",
                "vertx",
                "jetty",
                "netty-alone",
                "helidon",
                "helidon-virtual",
                "async-http-client",
                "armeria",
            )
    }
}
