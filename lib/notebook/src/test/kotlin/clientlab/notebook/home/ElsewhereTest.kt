package clientlab.notebook.home

import clientlab.child.*
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes

/** Where a notebook's runs go, by the folder in which its kernel works. */
class ElsewhereTest {
    private val lab = LabHome.root

    /** What a JVM that works in [here] says of its folders. */
    private fun said(here: Path): List<String> {
        val java = listOf("env", "--chdir=$here", "$ownJava", "-Dlab.root=$lab", "-cp", classpath(), FoldersRun::class.java.name)
        return ChildProcess(java).use { child -> generateSequence { child.nextLine(1.minutes) }.toList() }
    }

    private fun classpath() = (System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path"))
        .split(java.io.File.pathSeparatorChar)
        .joinToString(java.io.File.pathSeparator) { Path.of(it).toAbsolutePath().toString() }

    @Test
    fun `inside the lab everything is in its own folder`() {
        said(lab.resolve("notebooks")) shouldContainExactly
            listOf("${lab.resolve("data/raw")}", "[${lab.resolve("data/published")}]", "[${lab.resolve("data/registered")}]")
    }

    @Test
    fun `elsewhere runs go beside the notebook, and published runs are read from both`() {
        // The tests' folder for temporary files is inside the lab.
        val here = lab.toRealPath().parent
        said(here) shouldContainExactly listOf(
            "${here.resolve("data/raw")}",
            "[${here.resolve("data/published")}, ${lab.resolve("data/published")}]",
            "[${here.resolve("data/registered")}, ${lab.resolve("data/registered")}]",
        )
    }
}

/** Says where it would keep and find data. */
internal object FoldersRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        println(LabHome.raw)
        println(LabHome.allPublished)
        println(LabHome.allRegistered)
    }
}
