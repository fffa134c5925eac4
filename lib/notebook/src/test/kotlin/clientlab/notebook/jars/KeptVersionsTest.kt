package clientlab.notebook.jars

import clientlab.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.home.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.writeText

/** Jars of the reader's own, with the folder of jars elsewhere. What is fetched from a network is tested with whole bisections. */
class KeptVersionsTest(
    @param:TempDir private val folder: Path,
) {
    private val library = clients("okhttp").single().library
    private val jars = folder.resolve("jars")

    @BeforeEach
    fun elsewhere() {
        System.setProperty("lab.jars", "$jars")
    }

    @AfterEach
    fun back() {
        System.clearProperty("lab.jars")
    }

    private fun jar(name: String) = folder.resolve(name).apply { writeText("a jar") }

    @Test
    fun `a jar of one's own is a version beside the others, which only this machine has`() {
        val version = KeptVersions.withJar(library, "5.5.1", jar("okhttp-jvm-mine.jar"))
        version shouldBe "5.5.1-jar.${Sha256.of(folder.resolve("okhttp-jvm-mine.jar")).take(8)}"
        val released = VersionLock.read().artifacts(library, "5.5.1").shouldNotBeNull()
        val own = VersionLock.kept().artifacts(library, version).shouldNotBeNull()
        (released.keys - own.keys) shouldBe setOf("com.squareup.okhttp3:okhttp-jvm:5.5.1")
        (own.keys - released.keys) shouldBe setOf("com.squareup.okhttp3:okhttp-jvm:$version")
        jars.resolve("okhttp-jvm-$version.jar").exists() shouldBe true
        VersionLock.read().artifacts(library, version).shouldBeNull()
        clients("okhttp:$version").single().version shouldBe version
        KeptVersions.withJar(library, "5.5.1", folder.resolve("okhttp-jvm-mine.jar")) shouldBe version
    }

    @Test
    fun `a jar that takes the place of none is refused with those there are`() {
        shouldThrow<LabException> { KeptVersions.withJar(library, "5.5.1", jar("mine.jar")) }.message!! shouldContain
            "mine.jar takes the place of no jar of $library 5.5.1: let its name begin with that of one, which are "
        shouldThrow<LabException> { KeptVersions.withJar(library, "5.5.1", folder.resolve("okhttp-jvm.jar")) }.message shouldBe
            "There is no file ${folder.resolve("okhttp-jvm.jar")}: give the jar that you built."
    }

    @Test
    fun `a version that is neither locked nor kept is refused as before`() {
        shouldThrow<LabException> { clients("okhttp:5.5.1-jar.00000000") }.message!! shouldContain
            "okhttp 5.5.1-jar.00000000 is not in the lock"
    }
}
