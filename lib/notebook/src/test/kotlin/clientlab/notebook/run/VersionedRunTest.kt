package clientlab.notebook.run

import clientlab.*
import clientlab.burst.*
import clientlab.closedloop.*
import clientlab.gatewayload.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.jars.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.transfer.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.api.columnNames
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** One adapter, many versions of its library: whole runs against the delay server, with the jars that the lock names. */
class VersionedRunTest(
    @param:TempDir private val data: Path,
) {
    private fun measure(asked: List<ClientInfo>, inFlight: Int, delay: Duration, change: Burst.() -> Burst = { this }): Map<String, Trial> {
        Experiment("made", Burst(asked, listOf(inFlight), delay, start = listOf(Start.Cold)).change(), forks = 1, seed = 7).run { }
        return RunFolder.all("made").first().trials().associateBy { it.treatment.client.orEmpty() }
    }

    private fun Map<String, Trial>.shouldBeComplete() =
        values.forEach { trial -> withClue("${trial.treatment}: ${trial.reasons}") { trial.outcome shouldBe Outcome.Complete } }

    @Tag("long")
    @Test
    fun `as the article sets it CIO has a hundred in flight and five waves, under Ktor 2 and under Ktor 3`() =
        withDataIn(data) {
            val waves = measure(clients("ktor-cio@article").versions("2.3.12", "3.5.2"), 500, 2.seconds) { copy(timeline = true) }
            waves.keys shouldContainExactlyInAnyOrder listOf("ktor-cio@article:2.3.12", "ktor-cio@article:3.5.2")
            waves.values.forEach { trial ->
                withClue("${trial.treatment}: ${trial.reasons}") {
                    trial.outcome shouldBe Outcome.Wave
                    trial.evidence.shouldNotBeNull().peakInFlight shouldBe 100
                    trial.metrics["batches"] shouldBe 5.0
                }
            }
        }

    @Tag("long")
    @Test
    fun `opened it has one wave under both, and old OkHttp and Retrofit run beside it`() =
        withDataIn(data) {
            val opened = measure(clients("ktor-cio").versions("2.3.12", "3.5.2"), 500, 4.seconds) { copy(timeline = true) }
            opened.shouldBeComplete()
            opened.values.map { it.metrics["batches"] } shouldBe listOf(1.0, 1.0)
            opened.values.map { it.evidence.shouldNotBeNull().peakInFlight } shouldBe listOf(500, 500)
            val others = clients("okhttp").versions("4.12.0") + clients("retrofit").versions("2.9.0") + clients("ktor-cio")
            measure(others, 50, 1.seconds).shouldBeComplete()
            val folder = RunFolder.all("made").first()
            folder.manifest.shouldName()
            folder.frame().let { frame ->
                frame.rows().associate { it["client"] to it["version"] } shouldBe
                    mapOf("okhttp:4.12.0" to "4.12.0", "retrofit:2.9.0" to "2.9.0", "ktor-cio" to null)
                frame.summary().rowsCount() shouldBe 3
                (frame.summary().columnNames() - "version") shouldBe frame.summary().columnNames()
            }
        }

    @Tag("long")
    @Test
    fun `with pipelining CIO 3_6_1 answers all over a connection for each in flight, and without over one for each request`() =
        withDataIn(data) {
            val asked = clients("ktor-cio:3.6.1", "ktor-cio@pipelining:3.6.1")
            Experiment("made", ClosedLoop(asked, listOf(16), requests = 400, delay = 5.milliseconds), forks = 1, seed = 7).run { }
            val trials = RunFolder.all("made").first().trials().associateBy { it.treatment.client.orEmpty() }
            trials.shouldBeComplete()
            trials.getValue("ktor-cio:3.6.1").metrics["connectionsPerRequest"] shouldBe 1.0
            trials.getValue("ktor-cio@pipelining:3.6.1").metrics.getValue("connectionsPerRequest") shouldBeLessThanOrEqual 16.0 / 400
            measure(clients("ktor-okhttp:3.6.1"), 20, 1.seconds).shouldBeComplete()
        }

    /** Every jar of every version, by a name of its own, with the hash that the lock has. */
    private fun Manifest.shouldName() {
        libraries.keys shouldContainExactlyInAnyOrder listOf("okhttp:4.12.0", "retrofit:2.9.0")
        val lock = VersionLock.read()
        val artifacts = libraries.values.flatten().distinct()
        artifacts.shouldNotBeEmpty()
        artifacts.forEach { jars[JarStore.fileName(it)] shouldBe lock.sha256.getValue(it) }
        jars["okhttp-4.12.0.jar"].shouldNotBeNull()
        jars.keys.filter { it.startsWith("okhttp-jvm-") }.size shouldBe 1
        jars.keys.filter { it.startsWith("client-lab-") }.size shouldBe 2
    }

    @Tag("long")
    @Test
    fun `Ktor moves bytes in the version that a source measured as in today's, and says what it cannot`() =
        withDataIn(data) {
            val operations = listOf(Operation.FileRead, Operation.FileWrite, Operation.SocketWrite, Operation.Pipeline)
            val ktor = ioApis("ktor").versions("1.5.4", "2.3.12", "3.5.2")
            val moved = Transfer(operations, ktor, bytes = listOf(4.mebibytes), iterations = 2)
            Experiment("made", moved, forks = 1, seed = 7).run { }
            val folder = RunFolder.all("made").first()
            folder.manifest.libraries.keys shouldBe ktor.map { it.id }.toSet()
            val trials = folder.trials().filterNot { it.warmup }
            trials.size shouldBe operations.size * ktor.size
            trials.forEach { trial ->
                withClue("${trial.treatment}: ${trial.reasons}") {
                    val old = trial.treatment[Factor.IO_API] != "ktor:3.5.2"
                    if (old && trial.treatment[Factor.OPERATION] == Operation.FileWrite.label) {
                        trial.outcome shouldBe Outcome.Invalid
                        trial.reasons.joinToString() shouldContain "measure file-write from 3.0.0 on"
                    } else {
                        trial.outcome shouldBe Outcome.Complete
                    }
                }
            }
        }

    @Test
    fun `a run that names no version keeps a manifest without a word of it`() =
        withDataIn(data) {
            measure(clients("urlconnection"), 5, 100.milliseconds).shouldBeComplete()
            val folder = RunFolder.all("made").single()
            folder.path.resolve(Manifest.FILE).readText().let { text ->
                listOf("\"libraries\"", "\"java\": [").filter { it in text } shouldBe emptyList()
            }
            ("version" in folder.frame().columnNames()) shouldBe false
        }

    @Test
    fun `a gateway is built with the lab's libraries, so another version of them is refused in it`() =
        withDataIn(data) {
            val rate = GatewayLoad(clients("ktor-cio").versions("3.5.2"), rate = listOf(10))
            shouldThrow<LabException> { Experiment("made", rate, forks = 1).run { } }.message shouldBe
                "A gateway is built with the lab's own libraries, so ktor-cio:3.5.2 cannot be measured in one: ask for ktor-cio, or for " +
                "another workload."
        }

    @Tag("long")
    @Test
    fun `every client in every locked version has fifty in flight`() =
        withDataIn(data) {
            val all = clients().versions()
            all.size shouldBe versions().rowsCount()
            measure(all, 50, 1.seconds).also { it.keys.size shouldBe all.size }.shouldBeComplete()
        }

    @Tag("long")
    @Test
    fun `every client that reads JSON in a locked version does`() =
        withDataIn(data) {
            val all = clients().versions().filter { Payload.Json in it.payloads }
            measure(all, 50, 1.seconds) { copy(payload = listOf(Payload.Json)) }.shouldBeComplete()
        }
}
