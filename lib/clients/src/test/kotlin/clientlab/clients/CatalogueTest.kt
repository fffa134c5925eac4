package clientlab.clients

import clientlab.ClientInfo
import clientlab.Protocol
import clientlab.client.ClientCatalogue
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotBeBlank
import org.junit.jupiter.api.Test
import java.util.ServiceLoader

class CatalogueTest {
    private val infos: List<ClientInfo> = Catalogue().entries.map { it.info }

    @Test
    fun `ids are unique, and titles too`() {
        infos.map { it.id }.shouldBeUnique()
        infos.map { it.title }.shouldBeUnique()
    }

    @Test
    fun `every opened client is there, in the order of the article and then of the additions`() {
        infos.filter { it.configuration == ClientInfo.OPENED }.map { it.id }.shouldContainExactly(
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
        val opened = infos.map { it.id }.filter { '@' !in it }
        infos.map { it.id.substringBefore('@') }.distinct() shouldBe opened
    }

    @Test
    fun `every client speaks HTTP 1, and those that know HTTP 2 speak all of it`() {
        infos.forEach {
            withClue(it.id) {
                (it.protocols.distinct() == it.protocols && Protocol.Http1 in it.protocols) shouldBe true
            }
        }
        infos.filter { it.protocols == listOf(Protocol.Http1, Protocol.Https1) }.map { it.id.substringBefore('@') }.distinct() shouldBe
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
            val lines = generateSequence { child.line() }.takeWhile { it != LISTED }.toList()
            lines.shouldNotBeEmpty()
            lines.filter { line -> LIBRARIES.any { it in line } } shouldBe emptyList()
        }
    }

    private companion object {
        val LIBRARIES =
            listOf(
                " okhttp3.",
                " retrofit2.",
                " io.ktor.",
                " org.apache.",
                " org.springframework.",
                " reactor.",
                " io.vertx.",
                " org.eclipse.jetty.",
                " io.netty.",
                " io.helidon.",
                " org.asynchttpclient.",
                " com.linecorp.",
                " com.github.kittinunf.",
                " java.net.http.",
                " sun.net.www.http.",
            )
    }
}
