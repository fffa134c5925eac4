package clientlab.notebook.jars

import clientlab.*
import clientlab.notebook.fork.*
import clientlab.notebook.home.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

class JarStoreTest(
    @param:TempDir private val folder: Path,
) {
    private val kept = folder.resolve("kept")
    private var fetched = 0
    private val source =
        JarSource { artifact ->
            fetched++
            folder
                .resolve("remote")
                .createDirectories()
                .resolve("$fetched.jar")
                .apply { writeText("the jar of $artifact") }
        }
    private val store = JarStore(kept, source)

    private fun hash(text: String) = Sha256.of(folder.resolve("hashed").apply { writeText(text) })

    @Test
    fun `a jar is fetched once and kept under a name that says its version`() {
        val asked = mapOf("a:b:1.0" to hash("the jar of a:b:1.0"), "a:b:2.0" to hash("the jar of a:b:2.0"))
        repeat(2) { store.jars(asked).map { it.name } shouldBe listOf("b-1.0.jar", "b-2.0.jar") }
        fetched shouldBe 2
        kept.listDirectoryEntries().map { it.name }.sorted() shouldBe listOf("b-1.0.jar", "b-2.0.jar")
        kept.resolve("b-2.0.jar").readText() shouldBe "the jar of a:b:2.0"
    }

    @Test
    fun `a jar that was tampered with after it was fetched is refused, and is not fetched over`() {
        val asked = mapOf("a:b:1.0" to hash("the jar of a:b:1.0"))
        store.jars(asked)
        kept.resolve("b-1.0.jar").writeText("the jar of a:b:1.0, and a little more")
        shouldThrow<LabException> { store.jars(asked) }.message shouldBe
            "b-1.0.jar in $kept is not the jar that was locked, for its SHA-256 differs: delete it, and it is fetched again."
        fetched shouldBe 1
    }

    @Test
    fun `a jar that comes otherwise than it was locked is refused, and not kept`() {
        shouldThrow<LabException> { store.jars(mapOf("a:b:1.0" to hash("another"))) }.message!! shouldStartWith
            "What was fetched for a:b:1.0 is not the jar that was locked, for its SHA-256 differs: delete "
        kept.toFile().exists() shouldBe false
    }

    @Test
    fun `the hash of a file is that which others compute`() {
        val file = folder.resolve("abc").apply { writeText("abc") }
        Sha256.of(file) shouldBe "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    }

    @Test
    fun `without a network and with nothing fetched before, one sentence says what to do`() {
        val (java, rest) = ownJvm("clientlab.notebook.jars.OfflineRun", "$kept").let { it.first() to it.drop(1) }
        val nowhere = listOf("-Dcoursier.repositories=http://127.0.0.1:1/", "-Dcoursier.cache=${folder.resolve("cold")}")
        val process = ProcessBuilder(listOf(java) + nowhere + rest).redirectError(ProcessBuilder.Redirect.DISCARD).start()
        process.outputStream.close()
        val said = process.inputStream.bufferedReader().readText().trim()
        process.waitFor() shouldBe 0
        said.lines().size shouldBe 1
        said shouldStartWith "io.ktor:ktor-client-cio-jvm:2.3.12 could not be fetched ("
        said shouldContain "it needs a network, and ./lab prefetch --versions fetches all that is locked while there is one."
        said shouldNotContain "://"
    }
}
