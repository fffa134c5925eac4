package clientlab.server

import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines

/** Packages are used in one direction: each may use those above it in [mayUse], and so no two use each other. */
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
            "http1" to setOf("answer", "evidence", "request", "net", "http2"),
            "" to setOf("evidence", "request", "page", "control", "net", "http2", "http1"),
        )

    private val classes = ClassFileImporter().importPaths(Path.of("target/classes"))

    @TestFactory
    fun `imports point upstream only`(): List<DynamicTest> =
        mayUse.map { (room, allowed) ->
            dynamicTest("clientlab.server.$room") {
                val used = classes
                    .filter { roomOf(it) == room }
                    .also { it.shouldNotBeEmpty() }
                    .flatMap { from -> from.directDependenciesFromSelf }
                    .filter {
                        it.targetClass.baseComponentType.name
                            .startsWith("clientlab.")
                    }.filter { roomOf(it.targetClass.baseComponentType).let { to -> to != room && to !in allowed } }
                withClue(used.joinToString("\n", "Downstream or sideways:\n") { it.description }) { used.shouldBeEmpty() }
            }
        }

    @Test
    fun `every package has its place, and uses those before it alone`() {
        (classes.map(::roomOf).distinct() - mayUse.keys).shouldBeEmpty()
        val order = mayUse.keys.toList()
        for ((room, allowed) in mayUse) (allowed - order.take(order.indexOf(room)).toSet()).shouldBeEmpty()
    }

    @Test
    fun `a package has at most 25 files, and a file at most 250 lines`() {
        val folders = Files.walk(Path.of("src/main/kotlin")).use { all -> all.filter { it.isDirectory() }.toList() }
        folders.shouldNotBeEmpty()
        for (folder in folders) {
            val files = folder.listDirectoryEntries().filter { it.extension == "kt" }
            withClue("files in $folder") { files.size shouldBeLessThanOrEqual 25 }
            for (file in files) withClue("lines of $file") { file.readLines().size shouldBeLessThanOrEqual 250 }
        }
    }

    private fun roomOf(type: JavaClass): String = type.packageName.removePrefix("clientlab.server").removePrefix(".")
}
