package clientlab.clients

import clientlab.*
import clientlab.ioapi.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.readText

class CatalogueFileTest {
    private val written: CatalogueFile = Json.decodeFromString(Path.of("target/generated/clientlab/clients.json").readText())

    @Test
    fun `what the build wrote is the catalogue`() {
        written.schemaVersion shouldBe CATALOGUE_SCHEMA
        written.clients shouldBe Catalogue().entries.map { it.info }
    }

    @Test
    fun `the libraries that can be had in other versions are those of clients and of I_O APIs, and none is the JDK's`() {
        written.libraries shouldBe Catalogue().libraries + AllIoApis().libraries
        val known = written.clients.map { it.library } + written.ioApis.map { it.library }
        written.libraries.keys.forEach { it shouldBeIn known }
        written.libraries.keys.filter { it.startsWith("jdk:") } shouldBe emptyList()
    }

    @Test
    fun `it survives being written and read again`() {
        Json.decodeFromString<CatalogueFile>(Json.encodeToString(written)) shouldBe written
    }

    @Test
    fun `the version of every library that a client names is told, but for the JDK's`() {
        written.clients
            .map(ClientInfo::library)
            .filterNot { it.startsWith("jdk:") }
            .forEach { library ->
                withClue("$library is no dependency in lib/clients/pom.xml: add it there, or correct `library` in the ClientInfo") {
                    library shouldBeIn written.versions.keys
                }
            }
    }

    @Test
    fun `versions are read from the list that Maven writes, without what is for tests`() {
        val lines =
            listOf(
                "",
                "The following files have been resolved:",
                "   com.squareup.okhttp3:okhttp-jvm:jar:5.5.1:compile -- module okhttp3",
                "   io.netty:netty-transport-native-epoll:jar:linux-x86_64:4.2.18.Final:runtime",
                "   org.junit.jupiter:junit-jupiter:jar:6.1.3:test",
            )
        versionsIn(lines) shouldBe
            mapOf("com.squareup.okhttp3:okhttp-jvm" to "5.5.1", "io.netty:netty-transport-native-epoll" to "4.2.18.Final")
    }
}
