package clientlab.notebook.catalogue

import clientlab.*
import clientlab.client.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText

class VersionsTest(
    @param:TempDir private val folder: Path,
) {
    private val lock = VersionLock.read()

    @Test
    fun `clients come in the versions that are named, with ids and titles that say so`() {
        val asked = clients("ktor-cio", "ktor-cio@article").versions("2.3.12", "3.5.2")
        asked.map { it.id } shouldContainExactly
            listOf("ktor-cio:2.3.12", "ktor-cio:3.5.2", "ktor-cio@article:2.3.12", "ktor-cio@article:3.5.2")
        asked.map { it.title } shouldContainExactly
            listOf("Ktor CIO 2.3.12", "Ktor CIO 3.5.2", "Ktor CIO 2.3.12 as in the article", "Ktor CIO 3.5.2 as in the article")
        asked.map { it.limit } shouldContainExactly listOf(null, null, 100, 100)
        asked shouldContainExactly clients(*asked.map { it.id }.toTypedArray()).toList()
    }

    @Test
    fun `an I_O API comes in the versions that are named, too`() {
        val asked = ioApis("ktor").versions("1.5.4", "3.5.2")
        asked.map { it.id to it.title } shouldContainExactly listOf("ktor:1.5.4" to "Ktor 1.5.4", "ktor:3.5.2" to "Ktor 3.5.2")
        asked shouldContainExactly ioApis("ktor:1.5.4", "ktor:3.5.2")
        ioApis("ktor").versions().map { it.version } shouldContainExactly lock.versions("io.ktor:ktor-network-jvm")
        shouldThrow<LabException> { ioApis("ktor:9.9") }.message!! shouldStartWith "ktor 9.9 is not in the lock: known are 1.5.4, "
        shouldThrow<LabException> { ioApis("stream:21") }.message!! shouldStartWith "Streams comes with Java and has no version of its own"
    }

    @Test
    fun `where no version is named there are all that are locked, the oldest first`() {
        val all = clients("ktor-cio").versions().map { it.version }
        all shouldContainExactly lock.versions("io.ktor:ktor-client-cio-jvm")
        all shouldContainAll listOf("2.3.12", "3.3.3", "3.5.2")
        val table = versions()
        table.rows().filter { it["client"] == "ktor-cio" }.map { it["version"] } shouldContainExactly all
        table
            .rows()
            .single { it["client"] == "okhttp" && it["version"] == "4.12.0" }["okhttp"] shouldBe "4.12.0"
    }

    @Test
    fun `a version that is not locked is refused with those that are, and with the command that adds one`() {
        val known = lock.versions("io.ktor:ktor-client-cio-jvm").joinToString()
        shouldThrow<LabException> { clients("ktor-cio").versions("9.9") }.message shouldBe
            "ktor-cio 9.9 is not in the lock: known are $known, and ./lab lock io.ktor:ktor-client-cio-jvm 9.9 adds one."
        shouldThrow<LabException> { clients("fuel:1.0") }.message shouldBe
            "fuel 1.0 is not in the lock: none of it is, and ./lab lock com.github.kittinunf.fuel:fuel 1.0 adds one."
        shouldThrow<LabException> { clients("jdk").versions("21") }.message shouldBe
            "java.net.http comes with Java and has no version of its own: ask for other Javas, as in experiment.copy(java = jdks())."
        shouldThrow<LabException> { clients("ktor-coi:2.3.12") }.message shouldStartWith
            "No client 'ktor-coi:2.3.12': did you mean 'ktor-cio'?"
    }

    @Test
    fun `a configuration that needs a newer library is refused in an older one, with an id that works`() {
        shouldThrow<LabException> { clients("ktor-cio@pipelining") }.message shouldBe
            "ktor-cio@pipelining works from version 3.6.0 of its library on, and the lab's own is 3.5.2: " +
            "ask for one that does, as in clients(\"ktor-cio@pipelining:3.6.1\")."
        shouldThrow<LabException> { clients("ktor-cio@pipelining:3.5.2") }.message shouldBe
            "ktor-cio@pipelining works from version 3.6.0 of its library on and not in 3.5.2: ask for a newer one."
        val works = clients("ktor-cio@pipelining:3.6.1")
        works.single().title shouldBe "Ktor CIO 3.6.1 with pipelining"
        works.versions().map { it.version } shouldContainExactly listOf("3.6.1")
    }

    @Test
    fun `an answer is read as JSON where the adapter can with that version`() {
        val reading = clients("ktor-cio", "retrofit").versions().filter { Payload.Json in it.payloads }.map { it.id }
        reading shouldContainAll listOf("ktor-cio:3.5.2", "retrofit:3.0.0")
        reading.filter { it in listOf("ktor-cio:2.3.12", "retrofit:2.11.0") } shouldBe emptyList()
    }

    @Test
    fun `a version that is locked without what reads JSON reads text alone`() {
        val client = clients("ktor-cio").single()
        val catalogue = CatalogueReader.catalogue
        val json = catalogue.libraries.getValue(client.library).json
        val without = VersionLock().with(client.library, "9.9", mapOf("${client.library}:9.9" to "x"))
        val complete = VersionLock().with(client.library, "9.9", (json + client.library).associate { "$it:9.9" to "x" })
        client.inVersion("9.9", catalogue, without).payloads shouldBe listOf(Payload.Text)
        client.inVersion("9.9", catalogue, complete).payloads shouldBe client.payloads
    }

    @Test
    fun `the lock names every artifact with a hash, one file name each, and no address`() {
        val text = VersionLock.place.readText()
        text shouldNotContain "://"
        lock.libraries.keys.shouldNotBeEmpty()
        lock.sha256.values.forEach { it shouldMatch Regex("[0-9a-f]{64}") }
        lock.libraries.forEach { (library, versions) ->
            versions.keys.toList() shouldBe versions.keys.sortedWith(VersionOrder)
            versions.forEach { (version, artifacts) ->
                withClue("$library $version") {
                    artifacts.map { it.substringBeforeLast(':') }.let { it.distinct() shouldBe it }
                    artifacts.filter { it !in lock.sha256 } shouldBe emptyList()
                }
            }
        }
        val files = lock.sha256.keys.map { artifact -> artifact.split(':').let { (_, name, version) -> "$name-$version.jar" } }
        files.distinct().size shouldBe files.size
        text shouldBe folder.resolve("again.json").also(lock::write).readText()
    }

    @Test
    fun `what is locked anew leaves nothing of what it was`() {
        val once = VersionLock().with("a:b", "1.0", mapOf("a:b:1.0" to "x", "c:d:1" to "y")).with("a:b", "2.0", mapOf("a:b:2.0" to "z"))
        once.versions("a:b") shouldBe listOf("1.0", "2.0")
        val again = once.with("a:b", "1.0", mapOf("a:b:1.0" to "w"))
        again.sha256 shouldBe mapOf("a:b:1.0" to "w", "a:b:2.0" to "z")
        again.artifacts("a:b", "1.0") shouldBe mapOf("a:b:1.0" to "w")
        again.artifacts("a:b", "3.0") shouldBe null
    }

    @Test
    fun `a lock that cannot be read is refused in a sentence`() {
        val torn = folder.resolve("torn.json").apply { writeText("{\"libraries\": ") }
        shouldThrow<LabException> { VersionLock.read(torn) }.message!! shouldStartWith "$torn cannot be read as a lock of versions ("
    }
}
