package clientlab.notebook

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
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
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
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.walk

/**
 * The one-way path, `client → workload → probe → run → journal, stats → fork` and `stats, journal → frame → chart, claim`: imports
 * point upstream only, and a reader of the journal needs nothing that runs forks.
 */
class ArchitectureTest {
    /** What each package may use of the project, beside itself. */
    private val mayUse: Map<String, Set<String>> =
        mapOf(
            "clientlab.gateway" to CORE,
            "clientlab.ioapi" to CORE,
            // Lists the I/O APIs beside the clients.
            "clientlab.clients" to CORE + "clientlab.ioapi",
            "clientlab.notebook.stats" to setOf(),
            // The jars of other versions: what they are, and that they are it.
            "clientlab.notebook.jars" to setOf(CORE_PLACE, BASIS),
            "clientlab.notebook.journal" to CORE + BASIS,
            // A run with a precision ends by the interval that its reader will see.
            "clientlab.notebook.fork" to
                CORE + BASIS + "clientlab.notebook.journal" + "clientlab.notebook.stats" + "clientlab.notebook.jars",
            "clientlab.notebook.frame" to CORE + BASIS + "clientlab.notebook.journal" + "clientlab.notebook.stats",
            "clientlab.notebook.chart" to CORE + BASIS + "clientlab.notebook.stats" + "clientlab.notebook.frame",
            "clientlab.notebook.claim" to CORE + BASIS + "clientlab.notebook.stats" + "clientlab.notebook.frame",
            "clientlab.notebook.widget" to CORE + BASIS,
            // What the workshop says of an answer, from the same frames.
            "clientlab.notebook.workshop" to CORE + BASIS + "clientlab.notebook.stats" + "clientlab.notebook.frame",
            "clientlab.server" to setOf(),
        )

    @TestFactory
    fun `imports point upstream only`(): List<DynamicTest> =
        mayUse.map { (name, allowed) ->
            dynamicTest(name) {
                val used =
                    everything
                        .filter { placeOf(it) == name }
                        .also { it.shouldNotBeEmpty() }
                        .flatMap { from -> from.directDependenciesFromSelf.map { it.targetClass.baseComponentType to it.description } }
                        .filter { (to, _) -> to.name.startsWith("clientlab.") && placeOf(to) != name && placeOf(to) !in allowed }
                withClue(used.joinToString("\n", "Downstream or sideways:\n") { it.second }) { used.size shouldBe 0 }
            }
        }

    @Test
    fun `every package of the project has its place on the path`() {
        val places = everything.map(::placeOf).distinct() - SURFACE - BASIS - CORE_PLACE
        withClue("a package without a rule") { (places - mayUse.keys) shouldBe emptyList() }
        places shouldContain "clientlab.notebook.fork"
    }

    @Test
    fun `what all of the notebook stands on uses none of its packages`() {
        noClasses()
            .that(named(BASIC))
            .should()
            .dependOnClassesThat(resideInAPackage("clientlab.notebook.*.."))
            .holds()
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
            .resideInAPackage("clientlab.notebook..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    "clientlab.clients..",
                    "clientlab.ioapi..",
                    "clientlab.server..",
                    "okhttp3..",
                    "okio..",
                    "io.ktor..",
                    "retrofit2..",
                    "com.github.kittinunf..",
                    "org.apache.hc..",
                    "org.apache.http..",
                    "java.net.http..",
                    "io.netty..",
                    "org.springframework..",
                    "reactor..",
                    "io.vertx..",
                    "org.eclipse.jetty..",
                    "io.helidon..",
                    "org.asynchttpclient..",
                    "com.linecorp..",
                ),
            ).holds()
    }

    @Test
    fun `core names no library that is measured`() {
        noClasses()
            .that(DescribedPredicate.describe("are of lib/core", ::isCore))
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    "okhttp3..",
                    "io.ktor..",
                    "retrofit2..",
                    "com.github.kittinunf..",
                    "org.apache..",
                    "java.net.http..",
                    "io.netty..",
                    "org.springframework..",
                    "reactor..",
                    "io.vertx..",
                    "org.eclipse.jetty..",
                    "io.helidon..",
                    "org.asynchttpclient..",
                    "com.linecorp..",
                ),
            ).holds()
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
        val notebooks = LabHome.root.resolve("notebooks").listDirectoryEntries("*.ipynb")
        notebooks.shouldNotBeEmpty()
        notebooks.filter { file -> code(file).any { Regex("\"#[0-9a-fA-F]{6}\"").containsMatchIn(it) } }.map(Path::name) shouldBe
            emptyList()
    }

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
        /** All packages of lib/core, whose own test orders them. */
        const val CORE_PLACE = "core"

        /** Where things are and what cannot be done: used by all of the notebook, using none of it. */
        const val BASIS = "the notebook's basis"

        /** What a cell calls and a kernel loads: uses all of the notebook, used by none of it. */
        const val SURFACE = "the notebook's surface"
        val CORE = setOf(CORE_PLACE)
        val BASIC =
            setOf(
                "LabHome",
                "Html",
                "Listing",
                "CatalogueListing",
                "ClientsKt",
                "VersionLock",
                "VersionLockKt",
                "Sha256",
            ).map {
                "clientlab.notebook.$it"
            }.toSet()

        /** The class files of every module, read once. */
        val everything: JavaClasses by lazy {
            val folders = listOf(
                "lib/core",
                "lib/clients",
                "lib/gateway",
                "lib/notebook",
                "server/delay",
            ).map { LabHome.root.resolve("$it/target/classes") }
            folders.forEach { check(it.exists()) { "$it is missing: build all modules first, with ./lab run or mvn package." } }
            ClassFileImporter().importPaths(folders)
        }

        fun isCore(type: JavaClass): Boolean = type.source.map { "/lib/core/" in "${it.uri}" }.orElse(false)

        fun placeOf(type: JavaClass): String =
            when {
                isCore(type) -> CORE_PLACE
                type.packageName != "clientlab.notebook" -> type.packageName
                type.name.substringBefore('$') in BASIC -> BASIS
                else -> SURFACE
            }

        fun named(names: Set<String>): DescribedPredicate<JavaClass> =
            DescribedPredicate.describe("are $names") { type: JavaClass -> type.name.substringBefore('$') in names }
    }
}
