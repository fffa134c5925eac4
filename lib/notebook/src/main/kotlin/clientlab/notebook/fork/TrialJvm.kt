package clientlab.notebook.fork

import clientlab.*
import clientlab.notebook.home.*
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/**
 * How every trial JVM is started: the kernel's Java, the clients' classpath, and options so that no default depends on the machine's size.
 *
 * It uses no class-data archive of the application and no ahead-of-time cache. They speed up the start, but they change the measured memory
 * and processor time.
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
            // With this option on, workers have the name of their coroutine, and no rule could find their owner.
            "-Dkotlinx.coroutines.debug=off",
        )

    /** The jars of core, the clients and their dependencies, by name. */
    fun classpath(): List<Path> {
        val folder = LabHome.root.resolve("lib/clients/target/trial")
        val jars = if (folder.isDirectory()) folder.listDirectoryEntries("*.jar").sortedBy { it.name } else emptyList()
        if (jars.isEmpty()) throw LabException("The clients have not been built: run ./lab run once, which builds them.")
        return jars
    }

    private val windows get() = System.getProperty("os.name").startsWith("Windows")
}
