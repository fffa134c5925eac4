package clientlab.notebook.home

import clientlab.*
import java.nio.file.Path
import kotlin.io.path.exists

/** The places of the lab's own files. The system properties `lab.root`, `lab.data` and `lab.jars` name other folders, as in tests. */
public object LabHome {
    /** The project's root: `CLIENT_LAB_HOME` if it is set, otherwise a folder above this class's jar or the working directory. */
    public val root: Path by lazy {
        val named = listOfNotNull(System.getProperty("lab.root"), System.getenv("CLIENT_LAB_HOME")).map(Path::of)
        val starts = named + listOfNotNull(ownJar(), Path.of(""))
        starts.firstNotNullOfOrNull { start -> generateSequence(start.toAbsolutePath(), Path::getParent).firstOrNull(::isRoot) }
            ?: throw LabException("The lab's folder was not found: set CLIENT_LAB_HOME to the folder that holds notebooks/lab.json.")
    }

    /** Runs made here, one folder each; git ignores it. */
    public val raw: Path get() = data.resolve("raw")

    /** The evidence behind committed articles. It is never changed. */
    public val published: Path get() = data.resolve("published")

    /** The claims as they were registered before their runs. A file here is never changed. */
    public val registered: Path get() = data.resolve("registered")

    /** Plans of campaigns. Git keeps those of the whole ledger, and ignores others. */
    internal val campaigns: Path get() = data.resolve("campaigns")

    /** The jars of libraries in other versions than the lab's own. */
    internal val jars: Path get() = System.getProperty("lab.jars")?.let(Path::of) ?: root.resolve(".lab/jars")

    private val data: Path get() = System.getProperty("lab.data")?.let(Path::of) ?: root.resolve("data")

    private fun isRoot(folder: Path) = folder.resolve("notebooks/lab.json").exists() && folder.resolve("lib").exists()
}
