package clientlab.notebook.fork

import clientlab.LabException
import clientlab.notebook.home.LabHome
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/**
 * What every trial JVM is started with: the Java of this kernel, the classpath of the clients, and options that leave no default to the
 * machine's size.
 *
 * No class-data archive of the application and no ahead-of-time cache: they start faster, and change the memory and processor time that
 * are measured.
 */
internal object TrialJvm {
    val java: Path get() = Path.of(System.getProperty("java.home"), "bin", if (windows) "java.exe" else "java")

    val options: List<String> =
        listOf(
            "-XX:+UseG1GC",
            "-Xms256m",
            "-Xmx2g",
            "-XX:-UsePerfData",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF-8",
            "--enable-native-access=ALL-UNNAMED",
            // Where it is on, workers carry the name of their coroutine, and no rule would know whose they are.
            "-Dkotlinx.coroutines.debug=off",
        )

    /** The jars of core, clients and all that they need, by name. */
    fun classpath(): List<Path> {
        val folder = LabHome.root.resolve("lib/clients/target/trial")
        val jars = if (folder.isDirectory()) folder.listDirectoryEntries("*.jar").sortedBy { it.name } else emptyList()
        if (jars.isEmpty()) throw LabException("The clients have not been built: run ./lab run once, which builds them.")
        return jars
    }

    private val windows get() = System.getProperty("os.name").startsWith("Windows")
}
