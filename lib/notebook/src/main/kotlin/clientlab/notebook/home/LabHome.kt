package clientlab.notebook.home

import clientlab.LabException
import clientlab.notebook.run.published
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.toPath

/** Where the lab's own files are: jars to start forks from, and the folders of data. */
public object LabHome {
    /**
     * The project's root folder: `CLIENT_LAB_HOME` where that is set, else the folder above the jar (or classes) that this was loaded
     * from, else above the working directory. Fails with one sentence where none is found.
     */
    public val root: Path by lazy {
        val starts =
            listOfNotNull(
                System.getProperty("lab.root"),
                System.getenv("CLIENT_LAB_HOME"),
            ).map(Path::of) + listOfNotNull(codeSource(), Path.of("").toAbsolutePath())
        starts.firstNotNullOfOrNull { start -> generateSequence(start.toAbsolutePath(), Path::getParent).firstOrNull(::isRoot) }
            ?: throw LabException("The lab's folder was not found: set CLIENT_LAB_HOME to the folder that holds notebooks/lab.json.")
    }

    /** Runs made here, one folder each; git ignores it. */
    public val raw: Path get() = data.resolve("raw")

    /** The evidence behind committed articles; never written again. */
    public val published: Path get() = data.resolve("published")

    /** Plans of experiments that are larger than one machine; git ignores them. */
    public val campaigns: Path get() = data.resolve("campaigns")

    /** The jars of libraries in other versions than the lab's own; elsewhere where the system property `lab.jars` says so, as tests do. */
    public val jars: Path get() = System.getProperty("lab.jars")?.let(Path::of) ?: root.resolve(".lab/jars")

    /** Elsewhere where the system property `lab.data` says so, as tests do. */
    private val data: Path get() = System.getProperty("lab.data")?.let(Path::of) ?: root.resolve("data")

    private fun codeSource(): Path? = runCatching {
        LabHome::class.java.protectionDomain.codeSource.location
            .toURI()
            .toPath()
    }.getOrNull()

    private fun isRoot(folder: Path) = folder.resolve("notebooks/lab.json").exists() && folder.resolve("lib").exists()
}
