package clientlab.notebook.home

import clientlab.*
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText

/**
 * The places of the lab's own files, and of what is measured. A notebook elsewhere has a folder `data` of its own beside it: its runs go there.
 * The system properties `lab.root`, `lab.data` and `lab.jars` name other folders, as in tests.
 */
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

    /** Where runs of these notebooks are published. Nothing there is ever changed. */
    public val published: Path get() = data.resolve("published")

    /** That folder, and the one of the evidence behind the lab's own articles: in the lab itself they are one. */
    internal val allPublished: List<Path> get() = listOf(published, ownData.resolve("published")).distinct()

    /** The folder of what is published as [name], if it is. */
    internal fun published(name: String): Path? = allPublished.map { it.resolve(name) }.firstOrNull { it.exists() }

    /** The claims as they were registered before their runs. A file here is never changed. */
    public val registered: Path get() = data.resolve("registered")

    /** That folder, and the one of the lab's own claims. */
    internal val allRegistered: List<Path> get() = listOf(registered, ownData.resolve("registered")).distinct()

    /** Plans of campaigns. Git keeps those of the whole ledger, and ignores others. */
    internal val campaigns: Path get() = data.resolve("campaigns")

    /** The jars of libraries in other versions than the lab's own. */
    internal val jars: Path get() = System.getProperty("lab.jars")?.let(Path::of) ?: root.resolve(".lab/jars")

    private val given: Path? get() = System.getProperty("lab.data")?.let(Path::of)

    private val ownData: Path get() = given ?: root.resolve("data")

    private val data: Path get() = given
        ?: Path.of("").toAbsolutePath().let { here -> if (here.startsWith(root)) ownData else here.resolve("data") }

    /** The commit that the lab in [root] was installed from, or null where it stands in its own repository. */
    internal val installedFrom: String? by lazy { root.resolve("installed.txt").takeIf { it.exists() }?.readText()?.trim() }

    private fun isRoot(folder: Path) = folder.resolve("notebooks/lab.json").exists() && folder.resolve("lib").exists()
}
