package clientlab.notebook.run

import Line_9_jupyter
import clientlab.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.notebook.claim.*
import clientlab.notebook.fork.*
import clientlab.notebook.frame.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.reproduction.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.appendText
import kotlin.io.path.deleteRecursively
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.walk
import kotlin.time.Duration.Companion.milliseconds

/** A client of a cell from its run to the published data, and from there to a run without its notebook. */
@OptIn(ExperimentalPathApi::class)
class PublishedClientTest(
    @param:TempDir private val folder: Path,
) {
    private val published get() = LabHome.published.resolve("made-2026-11")

    @AfterEach
    fun forget() {
        CellSources.current = { null }
    }

    private fun publish(vararg own: CellClient) {
        CellSources.remember(Line_9_jupyter(), "val mine = blockingClient(\"mine\") { 200 }")
        val burst = Burst(own.map { it.info }, inFlight = listOf(10), delay = 300.milliseconds, start = listOf(Start.Cold))
        Experiment("made", burst, forks = 1, own = own.toList()).run { }
        Experiment("made", burst).publish("2026-11")
        // Another machine has what is published, and nothing else.
        LabHome.raw.deleteRecursively()
    }

    @Test
    fun `a client is published with its classes, its cell and their hashes, and runs again without the notebook`() =
        withDataIn(folder) {
            val clients = Line_9_jupyter().let { arrayOf(it.ofClass(), it.ofLambda(), it.ofSuspending()) }
            publish(*clients)
            val kept = RunFolder(published).manifest.serializedClients
            kept.keys shouldBe setOf("class", "lambda", "suspending")
            kept.getValue("class").files.keys shouldContainAll
                listOf("client.bin", "classes/Line_9_jupyter\$Mine.class", "cells/Line_9_jupyter.kts")
            kept.forEach { (id, files) ->
                val home = published.resolve(SerializedFiles.FOLDER).resolve(id)
                files.files.forEach { (name, sha256) -> withClue(name) { Sha256.of(home.resolve(name)) shouldBe sha256 } }
                home.walk().count() shouldBe files.files.size
                files.java shouldBe Runtime.version().feature()
            }
            published.resolve("carried/class/cells/Line_9_jupyter.kts").readText() shouldStartWith "val mine ="

            val again = reproduce("made-2026-11") { }
            val run = RunFolder.all("made").single()
            again.later shouldBe run.run
            withClue(run.trials().map { it.reasons }) { run.trials().map { it.outcome } shouldBe List(3) { Outcome.Complete } }
            run.manifest.serializedClients shouldBe kept
            Reproductions
                .compare(RunFolder(published), run, listOf(inFlightOf("lambda")))
                .rows
                .single()
                .later.estimate.value shouldBe 10.0
        }

    /** A claim about a client of the reader's own is one like any other. */
    private fun inFlightOf(client: String) =
        Claim("made.in-flight", "the test", "All ten are in flight.", "ten", listOf("made-2026-11"), "a test") { trials ->
            trials.byTreatment().filter { it.client == client }.map {
                Part(client, "in flight", Bound(10.0, 10.0), it.median("inFlightPeak"))
            }
        }

    @Test
    fun `what was published and has changed since is not run`() =
        withDataIn(folder) {
            publish(Line_9_jupyter().ofLambda())
            published.resolve("carried/lambda/classes/Line_9_jupyter.class").appendText(" ")
            val refusal = shouldThrow<LabException> { reproduce("made-2026-11") { } }.message
            refusal shouldBe
                "classes/Line_9_jupyter.class of the client 'lambda' in ${published.resolve(
                    "carried/lambda",
                )} is not what its manifest names, " +
                "so the client is not run: restore that folder from git, or from your copy of the run."
            RunFolder.all("made") shouldBe emptyList()
        }

    @Test
    fun `a client whose code is not kept is refused, and one for a newer Java too`() =
        withDataIn(folder) {
            publish(Line_9_jupyter().ofLambda())
            val manifest = RunFolder(published).manifest
            val newer = manifest.serializedClients.mapValues { it.value.copy(java = 99) }
            manifest.copy(serializedClients = newer).write(published)
            shouldThrow<LabException> { reproduce("made-2026-11") { } }.message shouldBe
                "The client 'lambda' was compiled for Java 99, and this is Java ${Runtime.version().feature()}: set JAVA_HOME to one of 99 or newer."
            manifest.copy(serializedClients = emptyMap()).write(published)
            shouldThrow<LabException> { reproduce("made-2026-11") { } }.message!! shouldStartWith
                "The run made-2026-11 has the client 'lambda', which was written in a notebook and is not kept with the run"
        }
}
