package clientlab.probe

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/**
 * The text files of Linux below [root], such as `/proc` and `/sys`. A test gives a folder with the same layout.
 *
 * A missing or unreadable file is no error: another system, a container or a missing driver simply lacks it.
 */
public class SystemFiles(private val root: Path) {
    /** The text of [path], as in `proc/loadavg`, or null if it cannot be read here. */
    public fun text(path: String): String? =
        try {
            // Names of processes may contain any bytes.
            root.resolve(path).readText(Charsets.ISO_8859_1)
        } catch (_: IOException) {
            null
        }

    /** The lines of [path]; none if it cannot be read here. */
    public fun lines(path: String): List<String> = text(path)?.lines()?.filter { it.isNotEmpty() }.orEmpty()

    /** The names in the folder [path]; none if it cannot be read here. */
    public fun names(path: String): List<String> {
        val folder = root.resolve(path)
        return try {
            if (folder.isDirectory()) folder.listDirectoryEntries().map { it.name } else emptyList()
        } catch (_: IOException) {
            emptyList()
        }
    }

    public companion object {
        /** Those of this machine. */
        public val here: SystemFiles = SystemFiles(Path.of("/"))
    }
}
