package clientlab.server

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.readLines
import kotlin.io.path.walk

/**
 * Packages are used in one direction: each may use those above it in [mayUse], and so no two use each other.
 *
 * It reads the sources. ArchUnit would bring SLF4J, which Netty then takes for its log, so that a server in a test would print to standard error.
 */
class ArchitectureTest {
    private val mayUse =
        linkedMapOf(
            "answer" to setOf(),
            "evidence" to setOf("answer"),
            "request" to setOf("answer", "evidence"),
            "page" to setOf("request"),
            "control" to setOf("evidence", "request"),
            "net" to setOf("evidence", "request"),
            "http2" to setOf("answer", "evidence", "request", "net"),
            "http3" to setOf("answer", "evidence", "request", "net"),
            "http1" to setOf("answer", "evidence", "request", "net", "http2"),
            "" to setOf("evidence", "request", "page", "control", "net", "http2", "http3", "http1"),
        )

    private val sources =
        Path
            .of("src/main/kotlin")
            .walk()
            .filter { it.extension == "kt" }
            .groupBy { packageOf(it.readLines().first { line -> line.startsWith("package ") }) }

    @Test
    fun `every package has its place, and uses those before it alone`() {
        sources.keys shouldContainExactlyInAnyOrder mayUse.keys
        val order = mayUse.keys.toList()
        for ((name, allowed) in mayUse) (allowed - order.take(order.indexOf(name)).toSet()).shouldBeEmpty()
    }

    @TestFactory
    fun `imports point upstream only`(): List<DynamicTest> =
        mayUse.map { (name, allowed) ->
            dynamicTest("clientlab.server.$name") {
                val wrong = sources.getValue(name).flatMap { file ->
                    file
                        .readLines()
                        .filter { !it.startsWith("package ") && OURS in it }
                        .filter { line -> packageOf(line).let { it != name && it !in allowed } }
                        .map { "$file: $it" }
                }
                withClue(wrong.joinToString("\n", "Downstream or sideways:\n")) { wrong.shouldBeEmpty() }
            }
        }

    @Test
    fun `a package has at most 25 files, and a file at most 250 lines`() {
        sources.values.shouldNotBeEmpty()
        for ((name, files) in sources) withClue("files in clientlab.server.$name") { files.size shouldBeLessThanOrEqual 25 }
        for (file in sources.values.flatten()) withClue("lines of $file") { file.readLines().size shouldBeLessThanOrEqual 250 }
    }

    /** The package that [line] names, below `clientlab.server`: names of packages begin with a small letter. */
    private fun packageOf(line: String): String = PACKAGE.find(line)?.groupValues?.get(1).orEmpty()

    private companion object {
        const val OURS = "clientlab.server"

        /** A small letter before a point or at the end; a function of the package itself is named after neither. */
        val PACKAGE = Regex("""clientlab\.server\.([a-z][a-z0-9]*)(?=\.|$)""")
    }
}
