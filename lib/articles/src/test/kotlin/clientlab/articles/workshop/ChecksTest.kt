package clientlab.articles.workshop

import clientlab.notebook.home.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

class ChecksTest {
    private val sources = text("lib/articles/src/main/kotlin/clientlab/articles/workshop", "*.kt")

    @Test
    fun `no check looks at a time`() {
        val time = Regex("\"\\w*(Ms|Seconds)\\w*\"|\\bDuration\\b|nanoTime|currentTimeMillis")
        sources.forEach { (file, text) -> withClue(file) { time.find(text)?.value shouldBe null } }
        withClue("the expression finds a column of times") { time.containsMatchIn("median(group, \"durationMs\")") shouldBe true }
    }

    @Test
    fun `every check is asked for in a part of the workshop`() {
        val parts = text("notebooks/workshop/source", "*.md").values.joinToString("\n")
        val checks = sources.values.flatMap { Regex("public fun (check\\w+)").findAll(it) }.map { it.groupValues[1] }
        checks.shouldNotBeEmpty()
        checks.forEach { parts shouldContain "$it(" }
    }

    private fun text(folder: String, glob: String): Map<Path, String> =
        LabHome.root
            .resolve(folder)
            .listDirectoryEntries(glob)
            .associateWith { it.readText() }
            .also { it.keys.shouldNotBeEmpty() }
}
