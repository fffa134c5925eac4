package clientlab.notebook.journal

import clientlab.*
import clientlab.notebook.made.MadeTrials.trial
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.paths.shouldNotExist
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.appendText
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

class JournalTest(
    @param:TempDir private val folder: Path,
) {
    private val warmup = trial("fuel", warmup = true)
    private val full =
        trial("fuel", round = 1, outcome = Outcome.Invalid, reasons = listOf("Zeile\nzwei \"ü\"."), left = listOf("a")).copy(
            errors = mapOf("status 500" to 3),
            threads = listOf(ThreadCount("OkHttp", ThreadState.ParkedInRequest, 2)),
            evidence = Evidence(arrived = 100, requestsByProtocol = mapOf("http/1.1" to 100)),
            curves = mapOf("live" to listOf(listOf(0.0, 1.5))),
        )

    private val file get() = folder.resolve(Journal.FILE)

    private fun write() = Journal(folder).use { it.append(listOf(warmup, full)) }

    @Test
    fun `what is appended is read again, the same and in order`() {
        write()
        Journal.read(folder) shouldBe listOf(warmup, full)
    }

    @Test
    fun `a trial is a line, whatever its words hold`() {
        write()
        file.readText().lines().filter(String::isNotEmpty).size shouldBe 2
    }

    @Test
    fun `a trial is on the disk before the journal is closed`() {
        Journal(folder).use {
            it.append(listOf(full))
            Journal.read(folder) shouldBe listOf(full)
        }
    }

    @Test
    fun `opened again a journal goes on`() {
        write()
        Journal(folder).use { it.append(listOf(warmup)) }
        Journal.read(folder) shouldBe listOf(warmup, full, warmup)
    }

    @Test
    fun `a torn last line is passed over and the rest is read`() {
        write()
        file.appendText("{\"experiment\":\"made\",\"rou")
        Journal.read(folder) shouldBe listOf(warmup, full)
    }

    @Test
    fun `a torn line in the middle is no accident and fails`() {
        write()
        file.appendText("{\"experiment\":\"made\",\"rou\n")
        shouldThrow<IllegalArgumentException> { Journal.read(folder) }
    }

    @Test
    fun `what a later version adds is passed over`() {
        write()
        val (first, second) = file.readText().trim().lines()
        file.writeText("$first\n${second.dropLast(1)},\"later\":{\"a\":[1]}}\n")
        Journal.read(folder) shouldBe listOf(warmup, full)
    }

    @Test
    fun `cut at any byte a journal is mended to the trials that are whole`() {
        val trials = List(3) { listOf(warmup.copy(round = it), full.copy(round = it)) }
        Journal(folder).use { journal -> trials.forEach(journal::append) }
        val all = file.readBytes()
        val ends = all.indices.filter { all[it] == '\n'.code.toByte() }.map { it + 1 }
        ends.size shouldBe 6
        (0..all.size).forEach { size ->
            file.writeBytes(all.copyOf(size))
            val kept = mutableListOf<Trial>()
            val cut = Journal.mend(folder, kept::add)
            val lines = ends.count { it <= size }
            withClue("cut after $size bytes") {
                kept shouldBe trials.take(lines / 2).map { it.last() }
                file.readBytes().toList() shouldBe all.take(if (lines < 2) 0 else ends[lines / 2 * 2 - 1])
                cut shouldBe Journal.Cut(torn = (size - (ends.getOrNull(lines - 1) ?: 0)).toLong(), warmups = lines % 2)
            }
        }
    }

    @Test
    fun `a mended journal goes on where it was cut, and a whole one is left as it is`() {
        write()
        Journal.mend(folder) {} shouldBe Journal.Cut(0, 0)
        val whole = file.readText()
        file.appendText(whole.lines().first() + "\n{\"experiment\":\"made\",\"rou")
        Journal.mend(folder) {}.notes shouldBe
            listOf(
                "A torn line of 25 bytes was cut off the journal.",
                "The warm-up of a trial that has no measurement was cut off the journal.",
            )
        file.readText() shouldBe whole
        Journal(folder).use { it.append(listOf(full)) }
        Journal.read(folder) shouldBe listOf(warmup, full, full)
    }

    @Test
    fun `a folder without a journal has nothing to mend`() {
        Journal.mend(folder) { error("There is no trial.") } shouldBe Journal.Cut(0, 0)
        file.shouldNotExist()
    }

    @Test
    fun `where there is no room for a trial that is said with what to do, and the journal stays`() {
        val full = Path.of("/dev/full")
        assumeTrue(full.exists(), "There is no /dev/full here, to which nothing can be written.")
        file.createSymbolicLinkPointingTo(full)
        Journal(folder).use { journal ->
            shouldThrow<LabException> { journal.append(listOf(warmup)) }.message shouldBe
                "A trial could not be written to $folder (No space left on device), so the run ends here; the trials before it are kept: " +
                "make room, then go on with resume(\"${folder.name}\")."
        }
    }

    @Test
    fun `a folder without a journal has no trials`() {
        Journal.read(folder) shouldBe emptyList()
    }
}
