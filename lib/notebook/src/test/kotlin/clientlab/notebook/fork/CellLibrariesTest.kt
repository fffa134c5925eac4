package clientlab.notebook.fork

import clientlab.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.reproduction.*
import clientlab.notebook.run.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteExisting
import kotlin.io.path.deleteRecursively
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.time.Duration.Companion.milliseconds

/** A client that needs a library of its own, which a cell loaded for it. */
@OptIn(ExperimentalPathApi::class)
class CellLibrariesTest(
    @param:TempDir private val folder: Path,
) {
    private val library = MadeLibrary(folder)

    @BeforeEach
    fun jarsOfTheTest() {
        System.setProperty("lab.jars", folder.resolve("jars").toString())
    }

    @AfterEach
    fun jarsOfTheLab() {
        System.clearProperty("lab.jars")
    }

    private fun measure(client: CellClient) {
        val burst = Burst(listOf(client.info), inFlight = listOf(10), delay = 300.milliseconds, start = listOf(Start.Cold))
        Experiment("made", burst, forks = 1, own = listOf(client)).run { }
    }

    private fun outcome() =
        RunFolder
            .all("made")
            .first()
            .trials()
            .single()
            .let { trial -> withClue(trial.reasons) { trial.outcome } }

    @Test
    fun `its jars and those that they call are found, run in the fork, and are fetched by their coordinates when it is reproduced`() =
        withDataIn(folder) {
            measure(blockingClient("mine", call = library.call()))
            outcome() shouldBe Outcome.Complete
            val run = RunFolder.all("made").single()
            val kept = run.manifest.serializedClients.getValue("mine")
            kept.artifacts shouldBe mapOf("made.library:greeter:1.0" to Sha256.of(library.named))
            kept.files.keys shouldContainAll listOf("jars/deep.jar", "classes/Line_11_jupyter\$Uses.class")

            Experiment("made", run.manifest.experiment.workload).publish("2026-11")
            val published = LabHome.published.resolve("made-2026-11/carried/mine")
            published.resolve("jars/deep.jar").exists() shouldBe true
            published.resolve("jars/greeter-1.0.jar").exists() shouldBe false
            LabHome.raw.deleteRecursively()
            reproduce("made-2026-11") { }
            outcome() shouldBe Outcome.Complete

            // Elsewhere the jar has to be fetched, and nobody publishes this one.
            LabHome.jars.resolve("greeter-1.0.jar").deleteExisting()
            shouldThrow<LabException> { reproduce("made-2026-11") { } }.message!! shouldStartWith
                "made.library:greeter:1.0 could not be fetched ("
        }

    @Test
    fun `a jar that cannot be fetched by a name and is too large to be copied is refused in a sentence`() =
        withDataIn(folder) {
            library.swell(2 shl 20)
            shouldThrow<LabException> { measure(blockingClient("mine", call = library.call())) }.message shouldBe
                "The client 'mine' uses deep.jar, which has no coordinates to be fetched by and is larger than 1 MiB: load it as " +
                "@file:DependsOn(\"group:name:version\"), or make it smaller."
        }

    @Test
    fun `a client without a library of its own has the classpath of the others`() =
        withDataIn(folder) {
            val built = TrialJvm.classpath()
            val plain = ForkSight(built).use { SerializedClient.pack(suspendingClient("plain") { 200 }, folder, it) }
            plain.classpath(built) shouldBe built + listOf(plain.classes)
            val own = ForkSight(built).use { SerializedClient.pack(blockingClient("mine", call = library.call()), folder, it) }
            val names = own.classpath(built).map { it.name }
            names shouldContainAll listOf("greeter-1.0.jar", "deep.jar", "classes")
            names.filter { it.startsWith("okhttp") || it.startsWith("ktor") } shouldBe emptyList()
            names.joinToString() shouldContain "client-lab-core-"
        }

    @TestFactory
    fun `the name of an artifact is told by its place in a repository`(): List<DynamicTest> =
        listOf(
            "/home/a/.m2/repository/com/squareup/okhttp3/okhttp/4.12.0/okhttp-4.12.0.jar" to "com.squareup.okhttp3:okhttp:4.12.0",
            "/a/cache/v1/https/host/maven2/io/ktor/ktor-io-jvm/3.0.3/ktor-io-jvm-3.0.3.jar" to "io.ktor:ktor-io-jvm:3.0.3",
            "/a/.jupyter_kotlin/maven_repository/junit/junit/4.13/junit-4.13.jar" to "junit:junit:4.13",
            "/home/a/.m2/repository/junit/junit/4.13/junit-4.13-sources.jar" to null,
            "/home/a/libs/okhttp-4.12.0.jar" to null,
            "/home/a/repository/okhttp/okhttp-4.12.0.jar" to null,
        ).map { (place, artifact) -> dynamicTest(place) { CellLibraries.artifactOf(Path.of(place)) shouldBe artifact } }
}
