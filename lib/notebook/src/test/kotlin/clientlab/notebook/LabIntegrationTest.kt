package clientlab.notebook

import clientlab.notebook.home.*
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.jetbrains.kotlinx.jupyter.api.libraries.JupyterIntegration
import org.junit.jupiter.api.Test
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.readText
import kotlin.io.path.walk

class LabIntegrationTest {
    private val listed = descriptor("notebooks/lab.json", "imports")
    private val workshop = descriptor("notebooks/workshop/lab.json", "imports")

    @Test
    fun `the kernel is told of integrations that are there`() {
        val text = checkNotNull(javaClass.getResource("/META-INF/kotlin-jupyter-libraries/libraries.json")).readText()
        val producers = Json.parseToJsonElement(text).jsonObject.getValue("producers").jsonArray
        producers.shouldNotBeEmpty()
        producers
            .map {
                it.jsonObject.getValue("fqn").jsonPrimitive.content
            }.forEach { name ->
                withClue(name) {
                    val type = Class.forName(name)
                    JupyterIntegration::class.java.isAssignableFrom(type) shouldBe true
                    type.getDeclaredConstructor().newInstance().shouldNotBeNull()
                }
            }
    }

    @Test
    fun `the descriptor and the integration import the same`() {
        listed shouldContainExactlyInAnyOrder LabIntegration.IMPORTS.toList()
    }

    @Test
    fun `the descriptor of the workshop imports the same`() {
        workshop shouldBe listed
    }

    @Test
    fun `a fresh notebook offers at most a hundred names of ours, each of them public and none of them a main`() {
        val ours = listed.filter { it.startsWith("clientlab.") }
        ours.filterNot(::isPublic) shouldBe emptyList()
        ours.filter { it.endsWith(".main") } shouldBe emptyList()
        ours.distinct().size shouldBe ours.size
        ours.size shouldBeInRange 1..100
    }

    @Test
    fun `what needs one workload is offered for its trials alone, and the rest for all`() {
        listOf("threadChart", "waterfallChart", "threadsOf", "timeline").map(::workloadOf).distinct() shouldBe listOf("Burst")
        listOf("memoryChart", "stackChart").map(::workloadOf).distinct() shouldBe listOf("IdleTasks")
        listOf("summary", "notes", "pairs", "aaChart").map(::workloadOf).distinct() shouldBe listOf("*")
    }

    @Test
    fun `every other import finds what it names`() {
        listed.filterNot { it.startsWith("clientlab.") }.forEach { import ->
            withClue("import $import") {
                if (import.endsWith(".*")) isPackageWithClasses(import.removeSuffix(".*")) shouldBe true else isMember(import) shouldBe true
            }
        }
    }

    @Test
    fun `an import of what is not there would be found out`() {
        isPackageWithClasses("clientlab.notebook.nowhere") shouldBe false
        isMember("kotlin.time.Duration.Companion.fortnights") shouldBe false
        isPublic("clientlab.notebook.frame.nothing") shouldBe false
        isPublic("clientlab.notebook.catalogue.CatalogueReader") shouldBe false
    }

    @Test
    fun `the descriptor loads the jar that the build makes`() {
        descriptor("notebooks/lab.json", "dependencies") shouldBe listOf("../lib/articles/target/client-lab.jar")
    }

    @Test
    fun `the descriptor of the workshop finds the same jar from the folders of its notebooks, which the kernel works in`() {
        val jar = descriptor("notebooks/workshop/lab.json", "dependencies").single()
        listOf("exercises", "solutions").forEach { folder ->
            val found = LabHome.root.resolve("notebooks/workshop/$folder").resolve(jar).normalize()
            LabHome.root.relativize(found).invariantSeparatorsPathString shouldBe "lib/articles/target/client-lab.jar"
        }
    }

    /** The workload whose trials the function [name] takes; `*` for any. */
    private fun workloadOf(name: String): String =
        sources.firstNotNullOf { Regex("public fun Trials<([^>]+)>\\.$name\\(").find(it) }.groupValues[1]

    /** Whether a source of the library declares the name [import] at its top level, for all to see. */
    private fun isPublic(import: String): Boolean {
        val (folder, name) = import.substringBeforeLast('.') to import.substringAfterLast('.')
        val declared = Regex("^public [^(=]*\\b(fun|val|class|interface|object|typealias) ([^(=]*[ .])?$name\\b", RegexOption.MULTILINE)
        return sources.any { "package $folder\n" in it && declared.containsMatchIn(it) }
    }

    private val sources: List<String> =
        listOf("lib/core", "lib/notebook")
            .flatMap { LabHome.root.resolve("$it/src/main/kotlin").walk() }
            .map { it.readText() }

    private fun descriptor(file: String, field: String): List<String> =
        Json
            .parseToJsonElement(LabHome.root.resolve(file).readText())
            .jsonObject
            .getValue(field)
            .jsonArray
            .map { it.jsonPrimitive.content }

    private fun isPackageWithClasses(name: String): Boolean {
        val path = name.replace('.', '/')
        return javaClass.classLoader.getResources(path).asSequence().any { url ->
            val connection = url.openConnection()
            if (connection is java.net.JarURLConnection) {
                connection.jarFile
                    .entries()
                    .asSequence()
                    .any { it.name.startsWith("$path/") && it.name.endsWith(".class") }
            } else {
                java.io.File(url.toURI()).listFiles().orEmpty().any { it.name.endsWith(".class") }
            }
        }
    }

    /** Whether [name] is a property of a companion: its getter is mangled, for a Duration is a Long to the JVM. */
    private fun isMember(name: String): Boolean {
        val owner = Class.forName(name.substringBeforeLast('.').replace(".Companion", "\$Companion"))
        val getter = "get" + name.substringAfterLast('.').replaceFirstChar(Char::uppercase)
        return owner.declaredMethods.any { it.name.substringBefore('-') == getter }
    }
}
