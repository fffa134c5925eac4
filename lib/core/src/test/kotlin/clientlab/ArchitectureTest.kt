package clientlab

import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.importer.ClassFileImporter
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.walk

/** The packages of this module: which may use which, told from their class files and not from lists of classes. */
class ArchitectureTest {
    private val classes = ClassFileImporter().importPath(Path.of("target/classes")).toList()

    /** Each package with the packages of ours that it uses. */
    private val uses: Map<String, Set<String>> =
        classes.groupBy(JavaClass::getPackageName).mapValues { (name, inside) ->
            inside
                .flatMap { it.directDependenciesFromSelf }
                .map { it.targetClass.baseComponentType.packageName }
                .filter { it.startsWith("clientlab") && it != name }
                .toSet()
        }

    @Test
    fun `the ground uses nothing of ours`() {
        uses.getValue("clientlab").shouldBeEmpty()
    }

    @Test
    fun `no packages use each other, directly or by way of others`() {
        uses.shouldHavePackages()
        val circles = uses.keys.mapNotNull(::circle)
        withClue(circles.joinToString("\n") { it.joinToString(" -> ") }) { circles.shouldBeEmpty() }
    }

    @Test
    fun `a workload uses no other workload`() {
        val workloads = uses.getValue("clientlab.workloads").filter { "clientlab.trial" in uses.getValue(it) }
        workloads.shouldNotBeEmpty()
        workloads.forEach { name -> withClue(name) { (uses.getValue(name) intersect workloads.toSet()).shouldBeEmpty() } }
    }

    @Test
    fun `a package has at most 25 files`() {
        val folders = Path.of("src/main/kotlin/clientlab").let { root -> root.walk().map { it.parent }.toSet() }.filter { it.isDirectory() }
        folders.shouldNotBeEmpty()
        folders.forEach { folder ->
            withClue("$folder") { folder.listDirectoryEntries().count { it.extension == "kt" } shouldBeLessThanOrEqual 25 }
        }
    }

    private fun Map<String, Set<String>>.shouldHavePackages() = keys.filter { it.startsWith("clientlab.") }.shouldNotBeEmpty()

    /** A way from [start] back to it, or null. */
    private fun circle(start: String): List<String>? {
        val seen = HashSet<String>()

        fun way(from: String): List<String>? {
            if (!seen.add(from)) return null
            return uses[from].orEmpty().firstNotNullOfOrNull { to ->
                if (to ==
                    start
                ) {
                    listOf(from, to)
                } else {
                    way(to)?.let { listOf(from) + it }
                }
            }
        }
        return way(start)
    }
}
