package clientlab.notebook.fork

import clientlab.*
import clientlab.burst.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*
import clientlab.notebook.journal.*
import clientlab.notebook.made.*
import clientlab.notebook.run.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.jetbrains.kotlinx.dataframe.api.rows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.DisabledOnOs
import org.junit.jupiter.api.condition.OS
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.LocalDate
import kotlin.io.path.createDirectories
import kotlin.io.path.readLines
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds

class JavaHomesTest(
    @param:TempDir private val folder: Path,
) {
    private val here = Jdk(System.getProperty("java.version"), System.getProperty("java.vendor"))
    private val home = Path.of(System.getProperty("java.home"))

    /** A Java that says that it is [jdk], notes when it is started, and runs the one that this test runs on. */
    private fun made(jdk: Jdk): Path {
        val made = folder.resolve(jdk.version)
        val java = made.resolve("bin").createDirectories().resolve("java")
        java.writeText(
            """
            |#!/bin/sh
            |if [ "${'$'}1" = "-XshowSettings:properties" ]; then
            |  echo "    java.version = ${jdk.version}"; echo "    java.vendor = ${jdk.vendor}"; exit 0
            |fi
            |echo started >> "$made/starts"
            |exec "${home.resolve("bin/java")}" "${'$'}@"
            |
            """.trimMargin(),
        )
        java.toFile().setExecutable(true)
        return made
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    fun `the day of a Java's release is what its file says, if there is one`() {
        val dated = made(Jdk("21.0.2", "Made"))
        dated.resolve("release").writeText("JAVA_VERSION=\"21.0.2\"\nJAVA_VERSION_DATE=\"2024-01-16\"\n")
        val homes = JavaHomes(listOf(dated, made(Jdk("22.0.1", "Made"))))
        homes.released(Jdk("21.0.2", "Made")) shouldBe LocalDate.of(2024, 1, 16)
        homes.released(Jdk("22.0.1", "Made")) shouldBe null
        homes.released(Jdk("99.0.1", "Nobody")) shouldBe null
    }

    @Test
    fun `the Java that this runs on is found, each once, the oldest first and none too old`() {
        val found = jdks()
        found shouldContain here
        found.distinct() shouldBe found
        found.map { it.feature }.shouldBeSorted()
        found.filter { it.feature < 21 } shouldBe emptyList()
        jdks(here.feature) shouldContain here
        JavaHomes(listOf(home, home)).found.keys shouldContainExactly setOf(here)
    }

    @Test
    fun `a release that is not here is refused with those that are`() {
        shouldThrow<LabException> { jdks(17) }.message!! shouldStartWith "There is no Java 17 on this machine: there is "
        shouldThrow<LabException> { JavaHomes(listOf(home)).executable(Jdk("99.0.1", "Nobody")) }.message shouldBe
            "There is no Java 99.0.1 Nobody on this machine: there is $here; jdks() lists them."
        val asked = Experiment("made", Burst(clients("urlconnection")), java = listOf(Jdk("99.0.1", "Nobody")))
        withDataIn(folder) {
            shouldThrow<LabException> { asked.run { } }.message!! shouldContain
                "There is no Java 99.0.1 Nobody on this machine"
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    fun `a folder without a Java, one that is too old and one that does not start are passed over`() {
        val old = folder.resolve("old").also { it.resolve("bin").createDirectories() }
        old.resolve("release").writeText("JAVA_VERSION=\"17.0.9\"\n")
        old.resolve("bin/java").apply { writeText("#!/bin/sh\nexit 1\n") }.toFile().setExecutable(true)
        val broken = folder.resolve("broken").also { it.resolve("bin").createDirectories() }
        broken.resolve("bin/java").apply { writeText("#!/bin/sh\nexit 1\n") }.toFile().setExecutable(true)
        JavaHomes(listOf(folder.resolve("none"), old, broken, made(Jdk("21.0.2", "Made")))).found.keys shouldContainExactly
            setOf(Jdk("21.0.2", "Made"))
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    fun `each treatment runs once on every Java, started with it, and its rows say which`() =
        withDataIn(folder) {
            val other = Jdk("21.0.2", "Made")
            val homes = JavaHomes(listOf(home, made(other)))
            val asked = Burst(clients("urlconnection"), inFlight = listOf(5), delay = 200.milliseconds)
            Run(Experiment("made", asked, forks = 2, java = listOf(other, here)), { }, emptyMap(), javaHomes = homes).execute()
            val rows = RunFolder.all("made").single().frame().rows()
            withClue(rows.map { it["reasons"] }) { rows.map { it["outcome"] } shouldBe List(4) { "complete" } }
            rows.groupingBy { it["java"] }.eachCount() shouldBe mapOf("$other" to 2, "$here" to 2)
            folder.resolve("21.0.2/starts").readLines().size shouldBe 2
        }

    @Test
    fun `a client from a cell is refused on a Java that is older than the notebook's`() {
        val own = blockingClient("mine") { 200 }
        val asked = Experiment("made", Burst(clients("urlconnection")), java = listOf(Jdk("11.0.2", "Made"))).with(own)
        withDataIn(folder) {
            shouldThrow<LabException> { asked.run { } }.message shouldBe
                "The client 'mine' was compiled for Java ${here.feature} by the cell that it stands in, so Java 11.0.2 Made cannot run " +
                "it: leave that out, or leave the client out."
        }
    }
}
