package clientlab.notebook.frame

import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.workloads.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

class DictionaryTest {
    @Test
    fun `the dictionary of columns in the data folder is the code's own`() {
        val made = Path.of("target/data-README.md").also { it.writeText(DataReadme.text()) }
        withClue("data/README.md differs from the code: copy lib/notebook/$made over it") {
            LabHome.root.resolve("data/README.md").readText() shouldBe made.readText()
        }
    }

    @Test
    fun `no column has two meanings`() {
        Dictionary.columns.groupBy { it.name }.filterValues { it.size > 1 }.keys.shouldBeEmpty()
    }

    @Test
    fun `a number's unit stands at the end of its name`() {
        val endings = mapOf("ms" to "Ms", "s" to "Seconds", "bytes" to "Bytes")
        Metrics.all
            .filter { metric -> endings[metric.unit]?.let { !metric.name.endsWith(it) } ?: false }
            .map { it.name }
            .shouldBeEmpty()
    }

    @TestFactory
    fun `every column of published data is in the dictionary`(): List<DynamicTest> =
        LabHome.published.listDirectoryEntries().filter { it.isDirectory() }.also { it.shouldNotBeEmpty() }.map { folder ->
            dynamicTest(folder.name) {
                val known = Dictionary.columns.map { it.name }.toSet()
                RunFolder(folder).frame().columnNames().filter { it !in known }.shouldBeEmpty()
            }
        }
}
