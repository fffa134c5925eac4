package clientlab.notebook.fork

import Line_10_jupyter
import Line_9_jupyter
import clientlab.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.run.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.fileSize
import kotlin.io.path.name
import kotlin.io.path.walk
import kotlin.time.Duration.Companion.milliseconds

class SerializedClientTest(
    @param:TempDir private val folder: Path,
) {
    private val cell = Line_9_jupyter()

    private fun <T> seen(use: (ForkSight) -> T): T = ForkSight(TrialJvm.classpath()).use(use)

    private fun pack(client: CellClient): SerializedClient = seen { SerializedClient.pack(client, folder, it) }

    private val SerializedClient.names get() = classes
        .walk()
        .filter { it.extension == "class" }
        .map { it.name.removeSuffix(".class") }
        .toList()

    @Test
    fun `a class of a cell is carried with the classes that it names`() {
        val carried = pack(cell.ofClass())
        carried.names shouldContainAll listOf("Line_9_jupyter\$Mine", "Line_9_jupyter\$MySession")
        carried.names.filterNot(CellClasses::isOfCell) shouldBe emptyList()
        (carried.file.exists() && carried.file.fileSize() > 0) shouldBe true
    }

    @Test
    fun `what stands in the same cell and is not used stays in the notebook, and nobody is warned of it`() {
        val carried = pack(cell.ofClass())
        carried.names shouldNotContain "Line_9_jupyter\$Bystander"
        carried.names shouldNotContain "Line_10_jupyter"
        carried.warnings.filter { "Bystander" in it } shouldBe emptyList()
    }

    @Test
    fun `what a lambda uses of an object is warned of, for each fork has one of its own`() {
        pack(Line_10_jupyter().ofCounting()).warnings shouldContain
            "The client 'counting' uses the object Counter: each fork begins with a fresh one, and its state stays in the fork."
    }

    @Test
    fun `a member of the cell stays in the notebook, and the sentence says what to write`() {
        shouldThrow<LabException> { pack(cell.ofTop()) }.cause shouldBe null
        shouldThrow<LabException> { pack(cell.ofTop()) }.message.shouldNotBeNull() shouldBe
            "The client 'top' uses a val, var or fun from the top of a cell, which stays in the notebook: copy it into the client's own " +
            "scope, as in run { val limit = limit; blockingClient(…) }, or write the client as a class."
    }

    @Test
    fun `something alive cannot be carried, and the sentence names it`() {
        shouldThrow<LabException> { pack(cell.ofLive()) }.message.shouldNotBeNull() shouldBe
            "The client 'live' holds a Thread, which cannot be serialized for a fork: make it inside the call, or open it in " +
            "ownClient(\"…\") { conditions -> … }."
    }

    @Test
    fun `a class of a cell that is not serializable cannot be captured, and the sentence says what to write`() {
        shouldThrow<LabException> { pack(cell.ofLoose()) }.message.shouldNotBeNull() shouldBe
            "The client 'loose' holds a Loose, a class of a cell that is not serializable: write it as class Loose : " +
            "java.io.Serializable, or make it inside the call."
    }

    @TestFactory
    fun `names of cells' classes are told from others`(): List<DynamicTest> =
        listOf(
            Triple("Line_9_jupyter", true, true),
            Triple("Line_12_jupyter\$Mine", true, false),
            Triple("a.b.Line_3_jupyter", true, true),
            Triple("Line_9_jupyter\$ofLambda\$1", true, false),
            Triple("Line_jupyter", false, false),
            Triple("MyLine_9_jupyter", false, false),
            Triple("java.lang.String", false, false),
            Triple("Line_9_jupyterish", false, false),
        ).map { (name, ofCell, isCell) ->
            dynamicTest(name) {
                CellClasses.isOfCell(name) shouldBe ofCell
                CellClasses.isCell(name) shouldBe isCell
            }
        }

    @Test
    fun `a fork sees the JDK, the core and the clients, and neither the notebook nor its cells`() =
        seen { fork ->
            listOf(
                "java/lang/String",
                "java/net/http/HttpClient",
                "clientlab/client/Client",
                "clientlab/clients/Catalogue",
                "okhttp3/OkHttpClient",
            ).forEach { withClue(it) { fork.sees(it) shouldBe true } }
            listOf("clientlab/notebook/LabHome", "org/jetbrains/kotlinx/dataframe/DataFrame", "Line_9_jupyter", "no/Such")
                .forEach { withClue(it) { fork.sees(it) shouldBe false } }
        }

    @Test
    fun `carried clients run in forks, classes, an object, lambdas with what they captured, suspending and blocking ones`() =
        withDataIn(folder) {
            val own =
                listOf(
                    cell.ofClass(),
                    cell.ofObject(),
                    cell.ofLambda(),
                    cell.ofSuspending(),
                    cell.ofCaptured(),
                    cell.ofSharing(),
                    cell.ofOpening(),
                    Line_10_jupyter().ofCounting(),
                )
            val burst = Burst(own.map { it.info }, inFlight = listOf(20), delay = 500.milliseconds)
            Experiment("made", burst, forks = 1, own = own).run { }
            val run = RunFolder.all("made").single()
            val measured = run.trials().filter { !it.warmup }
            withClue(measured.map { "${it.treatment}: ${it.reasons}" }) {
                measured.associate { it.treatment.client to it.outcome } shouldBe own.associate { it.info.id to Outcome.Complete }
            }
            withClue(run.manifest.notes) { run.manifest.notes.any { "the object Counter" in it } shouldBe true }
        }
}
