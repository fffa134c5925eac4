package clientlab.notebook.journal

import clientlab.Outcome
import clientlab.notebook.MadeTrials.trial
import clientlab.probe.Doing
import clientlab.probe.Evidence
import clientlab.probe.ThreadCount
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.appendText
import kotlin.io.path.readText
import kotlin.io.path.writeText

class JournalTest(
    @param:TempDir private val folder: Path,
) {
    private val warmup = trial("fuel", warmup = true)
    private val full =
        trial("fuel", round = 1, outcome = Outcome.Invalid, reasons = listOf("Zeile\nzwei \"ü\"."), left = listOf("a")).copy(
            errors = mapOf("status 500" to 3),
            threads = listOf(ThreadCount("OkHttp", Doing.ParkedInRequest, 2)),
            evidence = Evidence(arrived = 100, requestsByProtocol = mapOf("http/1.1" to 100)),
            curves = mapOf("live" to listOf(listOf(0.0, 1.5))),
        )

    private val file get() = folder.resolve(Journal.FILE)

    private fun write() =
        Journal(folder).use {
            it.append(warmup)
            it.append(full)
        }

    @Test
    fun `what is appended is read again, the same and in order`() {
        write()
        Journal.read(folder) shouldBe listOf(warmup, full)
    }

    @Test
    fun `a trial is a line, whatever its words hold`() {
        write()
        file
            .readText()
            .lines()
            .filter(String::isNotEmpty)
            .size shouldBe 2
    }

    @Test
    fun `a trial is on the disk before the journal is closed`() {
        Journal(folder).use {
            it.append(full)
            Journal.read(folder) shouldBe listOf(full)
        }
    }

    @Test
    fun `opened again a journal goes on`() {
        write()
        Journal(folder).use { it.append(warmup) }
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
    fun `a folder without a journal has no trials`() {
        Journal.read(folder) shouldBe emptyList()
    }
}
