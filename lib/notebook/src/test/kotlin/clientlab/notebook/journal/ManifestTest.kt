package clientlab.notebook.journal

import clientlab.*
import clientlab.burst.*
import clientlab.machine.*
import clientlab.notebook.made.*
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.milliseconds

class ManifestTest(
    @param:TempDir private val folder: Path,
) {
    private val client =
        ClientInfo(
            id = "ktor-cio@article",
            title = "Ktor CIO",
            library = "io.ktor:ktor-client-cio-jvm",
            settings = "as the article İıßé has it",
            limit = 100,
            expectedLeftovers = listOf(Leftover("DefaultDispatcher-worker-\\d+", "until the JVM ends", atMost = 64)),
            owners = listOf(ThreadOwner("ktor-.*", "Ktor")),
            callFrames = listOf("io.ktor."),
            jvmArgs = listOf("-Dkotlinx.coroutines.io.parallelism={inFlight}"),
        )

    private val manifest =
        Manifest(
            run = "20261121-120000-abcd",
            experiment =
                Experiment(
                    "threads",
                    Burst(listOf(client), inFlight = listOf(100, 500), delay = 1500.milliseconds, start = listOf(Start.Cold, Start.Warm)),
                    forks = 7,
                    seed = 1234567890123,
                ),
            startedAt = "2026-11-21T12:00:00Z",
            machine = Machine("Linux 6.1 amd64", "A processor", 2, 8_589_934_592, 20_000, 1.25, "25", "Somebody", "A VM 25+1"),
            versions = mapOf("io.ktor:ktor-client-cio-jvm" to "3.5.2"),
            jars = mapOf("a.jar" to "00ff"),
            jvmArgs = listOf("-Xmx2g"),
            server = mapOf("transport" to "nio"),
            commit = "0123456789abcdef",
            dirty = false,
            state = "finished",
            endedAt = "2026-11-21T12:01:00Z",
            notes = listOf("The delay server had ended and was started again before trial 3."),
        )

    private val golden = checkNotNull(javaClass.getResource("/golden/manifest.json")).readText()

    @Test
    fun `what is written is read again the same, and no half is left`() {
        manifest.write(folder)
        Manifest.read(folder) shouldBe manifest
        folder.listDirectoryEntries().map { it.name } shouldBe listOf(Manifest.FILE)
    }

    @Test
    fun `a manifest can be written anew`() {
        manifest.copy(state = "running", endedAt = null, notes = emptyList()).write(folder)
        Manifest.read(folder).state shouldBe "running"
        Manifest.read(folder).endedAt shouldBe null
        manifest.write(folder)
        Manifest.read(folder) shouldBe manifest
    }

    @Test
    fun `a manifest is written to the letter like the golden one, whatever the locale`() =
        underLocales { locale ->
            withClue(locale) {
                manifest.write(folder)
                folder.resolve(Manifest.FILE).readText() shouldBe golden
            }
        }

    @Test
    fun `the golden manifest is read, whatever the locale`() =
        underLocales { locale ->
            withClue(locale) {
                val copy = javaClass.getResource("/golden").let { Path.of(checkNotNull(it).toURI()) }
                Manifest.read(copy) shouldBe manifest
            }
        }
}
