package clientlab.articles

import clientlab.notebook.claim.*
import clientlab.notebook.home.*
import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.core.domain.JavaAccess.Predicates.target
import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage
import com.tngtech.archunit.core.domain.JavaClasses
import com.tngtech.archunit.core.domain.properties.HasName
import com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.nio.file.Path
import java.util.ServiceLoader
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.walk

/** Imports point one way: core, then the packages of the notebook library in the order of [PATH], then the articles, which do not know each other. */
class ArchitectureTest {
    @TestFactory
    fun `a package of the library uses those before it alone`(): List<DynamicTest> =
        PATH.mapIndexed { place, name ->
            dynamicTest(name) {
                val later = PATH.drop(place + 1).map { "clientlab.notebook.$it" } + "clientlab.notebook"
                noClasses()
                    .that()
                    .resideInAPackage("clientlab.notebook.$name")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(*later.toTypedArray(), "clientlab.articles.."))
                    .holds()
            }
        }

    @Test
    fun `every package of the library has its place on the path`() {
        val packages = everything.map { it.packageName }.filter { it.startsWith("clientlab.notebook.") }.distinct()
        packages.map { it.removePrefix("clientlab.notebook.") } shouldContainExactlyInAnyOrder PATH
    }

    @Test
    fun `no two packages of the library, and no two articles, use each other`() {
        slices().matching("clientlab.notebook.(**)").should().beFreeOfCycles().holds()
        slices().matching("clientlab.articles.(*)..").should().notDependOnEachOther().holds()
    }

    @Test
    fun `core, the clients and the gateway use neither the library nor its articles`() {
        noClasses()
            .that()
            .resideOutsideOfPackages("clientlab.notebook..", "clientlab.articles..", "clientlab.kandy..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("clientlab.notebook..", "clientlab.articles.."))
            .holds()
    }

    @Test
    fun `a notebook imports its own article and no other`() {
        val own = ServiceLoader.load(Article::class.java).associate { it.javaClass.packageName to it.notebook }
        notebooks().forEach { file ->
            val imported = code(file).flatMap { IMPORT.findAll(it).map { found -> found.groupValues[1] } }.distinct()
            withClue(file.name) {
                imported.size shouldBeInRange 0..1
                imported.forEach { (own[it] ?: file.nameWithoutExtension) shouldBe file.nameWithoutExtension }
            }
        }
    }

    @Test
    fun `one class alone asks for artifacts, so that all of them are checked`() {
        noClasses()
            .that(DescribedPredicate.not(named(setOf("clientlab.notebook.jars.Coursier"))))
            .should()
            .dependOnClassesThat(resideInAPackage("coursierapi.."))
            .holds()
    }

    @Test
    fun `clients use core alone`() {
        noClasses()
            .that()
            .resideInAPackage("clientlab.clients..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("clientlab.notebook..", "clientlab.server.."))
            .holds()
    }

    @Test
    fun `the notebook uses no client and names none of their libraries`() {
        noClasses()
            .that()
            .resideInAnyPackage("clientlab.notebook..", "clientlab.articles..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("clientlab.clients..", "clientlab.ioapi..", "clientlab.server..", *measured),
            ).holds()
    }

    @Test
    fun `the libraries that are measured are those that adapters call`() {
        measured.toList() shouldContainAll
            listOf("okhttp3..", "okio..", "retrofit2..", "java.net.http..", "io.ktor..", "io.netty..", "io.vertx..", "io.helidon..") +
            listOf("org.apache.hc..", "org.springframework.web..", "reactor.netty..", "org.eclipse.jetty..", "com.linecorp.armeria..")
    }

    @Test
    fun `core names no library that is measured`() {
        noClasses()
            .that(DescribedPredicate.describe("are of lib/core", ::isCore))
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.apache..", *measured))
            .holds()
    }

    @Test
    fun `the server uses nothing of lib`() {
        noClasses()
            .that()
            .resideInAPackage("clientlab.server..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("clientlab..").and(DescribedPredicate.not(resideInAPackage("clientlab.server.."))),
            ).holds()
    }

    @Test
    fun `random numbers are drawn by the schedule, the statistics, the id of a run and the delay server alone`() {
        val sources =
            resideInAnyPackage("kotlin.random..", "org.apache.commons.rng..", "java.util.random..")
                .or(
                    named(
                        setOf(
                            "java.util.Random",
                            "java.util.SplittableRandom",
                            "java.util.concurrent.ThreadLocalRandom",
                            "java.security.SecureRandom",
                        ),
                    ),
                )
        val drawers = named(setOf("clientlab.Schedule", "clientlab.notebook.journal.RunFolder"))
        noClasses()
            .that(
                DescribedPredicate
                    .not(
                        drawers,
                    ).and(DescribedPredicate.not(resideInAnyPackage("clientlab.notebook.stats..", "clientlab.server.."))),
            ).should()
            .dependOnClassesThat(sources)
            .holds()
        val unseeded =
            target(
                HasName.Predicates.nameMatching("shuffled?"),
            ).and(target(owner(named(setOf("kotlin.collections.CollectionsKt", "java.util.Collections")))))
        noClasses()
            .that(DescribedPredicate.not(named(setOf("clientlab.Schedule"))))
            .should()
            .accessTargetWhere(unseeded)
            .holds()
    }

    @Test
    fun `stacks of threads are read by the probes, the adapters and the forks alone`() {
        val stacks =
            target(
                HasName.Predicates.nameMatching(
                    "getAllStackTraces|getStackTrace|dumpAllThreads|getThreadInfo|findDeadlockedThreads|dumpThreads",
                ),
            )
        noClasses()
            .that()
            .resideOutsideOfPackages("clientlab.probe..", "clientlab.clients..", "clientlab.notebook.fork..")
            .should()
            .accessTargetWhere(stacks)
            .orShould()
            .dependOnClassesThat(
                named(setOf("java.lang.management.ThreadMXBean", "com.sun.management.ThreadMXBean", "java.lang.StackWalker")),
            ).holds()
        everything.get("clientlab.probe.ThreadProbe").directDependenciesFromSelf.map { it.targetClass.name } shouldContain
            "java.lang.Thread"
    }

    @Test
    fun `the style alone names colours`() {
        val colour = Regex("\"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\"|java\\.awt\\.Color|\\bColor\\.[A-Z]|rgba?\\(")
        val sources =
            LabHome.root
                .resolve("lib")
                .listDirectoryEntries()
                .map { it.resolve("src/main/kotlin") }
                .filter { it.isDirectory() }
                .flatMap { folder -> folder.walk().filter { it.extension == "kt" } }
        val naming = sources.filter { colour.containsMatchIn(it.readText()) }.map(Path::name)
        naming shouldBe listOf("Style.kt")
    }

    @Test
    fun `no notebook names a colour`() {
        notebooks().filter { file -> code(file).any { Regex("\"#[0-9a-fA-F]{6}\"").containsMatchIn(it) } }.map(Path::name) shouldBe
            emptyList()
    }

    private fun notebooks(): List<Path> =
        LabHome.root.resolve("notebooks").listDirectoryEntries("*.ipynb").also { it.shouldNotBeEmpty() }

    /** The code of a notebook's cells, without their outputs, for a figure has colours. */
    private fun code(notebook: Path): List<String> =
        Json
            .parseToJsonElement(notebook.readText())
            .jsonObject
            .getValue("cells")
            .jsonArray
            .map { it.jsonObject }
            .filter { it.getValue("cell_type").jsonPrimitive.content == "code" }
            .map { cell -> cell.getValue("source").jsonArray.joinToString("") { it.jsonPrimitive.content } }

    private fun ArchRule.holds() = check(everything)

    private companion object {
        /** The packages of the notebook library: first what reads, then what measures, last what the tools start. */
        val PATH = listOf(
            "home",
            "stats",
            "catalogue",
            "jars",
            "journal",
            "frame",
            "output",
            "chart",
            "figure",
            "claim",
            "fork",
            "run",
            "campaign",
            "reproduction",
            "attach",
            "bisect",
            "compare",
            "command",
        )
        val IMPORT = Regex("^import (clientlab\\.articles\\.\\w+)", RegexOption.MULTILINE)

        /** The class files of every module, read once. */
        val everything: JavaClasses by lazy {
            val folders = listOf(
                "lib/core",
                "lib/clients",
                "lib/gateway",
                "lib/notebook",
                "lib/articles",
                "server/delay",
            ).map { LabHome.root.resolve("$it/target/classes") }
            folders.forEach { check(it.exists()) { "$it is missing: build all modules first, with ./lab run or mvn package." } }
            ClassFileImporter().importPaths(folders)
        }

        fun isCore(type: JavaClass): Boolean = type.source.map { "/lib/core/" in "${it.uri}" }.orElse(false)

        /** The packages of libraries that adapters call, each by its first names: what the rest of the lab does not name. */
        val measured: Array<String> by lazy {
            everything
                .filter { it.packageName.startsWith("clientlab.clients") || it.packageName == "clientlab.ioapi" }
                .flatMap { it.directDependenciesFromSelf }
                .map { it.targetClass.baseComponentType.packageName }
                .filter { name -> name.startsWith("java.net.http") || LANGUAGE.none { "$name.".startsWith("$it.") } }
                .map { name -> name.split('.').take(if (name.substringBefore('.') in SHARED_ROOTS) 3 else 2).joinToString(".") + ".." }
                .distinct()
                .toTypedArray()
        }
        val LANGUAGE =
            listOf("", "clientlab", "java", "javax", "kotlin") +
                listOf("kotlinx.coroutines", "kotlinx.serialization", "org.jetbrains", "org.intellij")

        /** First names that many makers share, so that a library is known by three. */
        val SHARED_ROOTS = setOf("java", "org", "com")

        fun named(names: Set<String>): DescribedPredicate<JavaClass> =
            DescribedPredicate.describe("are $names") { type: JavaClass -> type.name.substringBefore('$') in names }
    }
}
