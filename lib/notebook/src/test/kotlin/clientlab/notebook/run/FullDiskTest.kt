package clientlab.notebook.run

import clientlab.*
import clientlab.child.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteExisting
import kotlin.io.path.fileSize
import kotlin.io.path.outputStream
import kotlin.io.path.readBytes
import kotlin.time.Duration.Companion.minutes

/** Runs that find no room for a trial: they end with one sentence, keep what they have, and go on when there is room. */
class FullDiskTest(
    @param:TempDir private val data: Path,
) {
    private val rounds = 9
    private val plan = Schedule.of(KillRun.experiment(rounds)).map { it.round to it.treatment }

    private fun folder(): RunFolder = RunFolder.all("killed").single()

    private fun measured() = folder().trials().filter { !it.warmup }.map { it.round to it.treatment }

    private fun shouldBeWhole(folder: RunFolder) {
        val bytes = folder.path.resolve(Journal.FILE).readBytes()
        bytes.last() shouldBe '\n'.code.toByte()
        folder.trials().last().warmup shouldBe false
    }

    @Tag("long")
    @Test
    fun `a run whose files may not grow ends with one sentence and goes on where they may`() =
        withDataIn(data) {
            assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "There is no ulimit on Windows.")
            val command = listOf("sh", "-c", "ulimit -f $BLOCKS; exec \"$@\"", "sh") + harness()
            ChildProcess(command).use { child ->
                val said = generateSequence { child.nextLine(5.minutes) }.toList()
                child.awaitEnd(1.minutes) shouldBe true
                withClue("$said ${child.lastWords()}") {
                    child.exitCode shouldBe 1
                    said.last() shouldStartWith "A trial could not be written to ${folder().path} (File too large), so the run ends here"
                    said.last() shouldContain "resume(\"${folder().run}\")"
                }
            }
            val before = measured()
            before.size shouldBeInRange 1..<plan.size
            before shouldBe plan.take(before.size)
            shouldBeWhole(folder())
            folder().manifest.state shouldBe "failed"

            ChildProcess(harness()).use { child ->
                generateSequence { child.nextLine(5.minutes) }.toList().last() shouldBe "finished"
            }
            measured() shouldBe plan
        }

    private fun harness(): List<String> =
        ownJvm(KillRun::class.java.name, data.toString(), "$rounds").let { listOf(it.first(), "-XX:-UsePerfData") + it.drop(1) }

    @Test
    @Tag("long")
    fun `a run on a disk that fills up ends with one sentence and goes on when there is room`() {
        val disk = data.resolve("disk").createDirectories()
        val refusal = sh("mount", "-t", "tmpfs", "-o", "size=${DISK}k", "tmpfs", disk.toString())
        assumeTrue(refusal == null, "No small disk can be mounted here: $refusal")
        try {
            withDataIn(disk) { fillAndResume(disk) }
        } finally {
            sh("umount", disk.toString())
        }
    }

    private fun fillAndResume(disk: Path) {
        val experiment = KillRun.experiment(rounds)
        val filler = disk.resolve("filler")
        var full = false
        val sentence =
            shouldThrow<LabException> {
                Run(experiment, { progress ->
                    if (progress.done == 2 && !full) {
                        full = true
                        fill(filler)
                    }
                }, CatalogueReader.catalogue.versions).execute()
            }.message.orEmpty()
        sentence shouldStartWith "A trial could not be written to ${folder().path} (No space left on device), so the run ends here"
        // The last page of the journal may have had room for one more.
        val before = measured()
        before.size shouldBeInRange 2..3
        before shouldBe plan.take(before.size)
        shouldBeWhole(folder())
        // There was no room for a new manifest either, so the old one stays, whole.
        Unfinished.stateOf(folder()) shouldBe "killed"
        folder().path.resolve(Manifest.FILE).fileSize() shouldBe folder()
            .path
            .resolve(Manifest.FILE)
            .readBytes()
            .size
            .toLong()

        filler.deleteExisting()
        Run(experiment, {}, CatalogueReader.catalogue.versions).resume(null, anyway = false)
        measured() shouldBe plan
        folder().manifest.state shouldBe "finished"
    }

    /** Leaves less than a page. */
    private fun fill(filler: Path) {
        runCatching { filler.outputStream().use { out -> while (true) out.write(ByteArray(1024)) } }
    }

    /** Null where it worked, else what it said. */
    private fun sh(vararg words: String): String? =
        runCatching {
            val process = ProcessBuilder(*words).redirectErrorStream(true).start()
            val said = process.inputStream.bufferedReader().readText().trim()
            check(process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0) { said }
        }.exceptionOrNull()?.let { it.message ?: it.toString() }

    private companion object {
        /** Of 512 bytes: more than a manifest, and less than eighteen trials. */
        const val BLOCKS = 80
        const val DISK = 256
    }
}
