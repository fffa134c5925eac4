package clientlab.probe

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/**
 * The text files in which Linux tells of itself, below [root]; a test gives a folder of its own in the layout of `/proc` and `/sys`.
 *
 * A file that is not there, or may not be read, is no error: another system, a container or a missing driver simply does not tell.
 */
public class SystemFiles(private val root: Path) {
    /** The text of [path], as in `proc/loadavg`, or null where it is not readable here. */
    public fun text(path: String): String? =
        try {
            // The names of processes may be any bytes.
            root.resolve(path).readText(Charsets.ISO_8859_1)
        } catch (_: IOException) {
            null
        }

    /** The lines of [path]; none where it is not readable here. */
    public fun lines(path: String): List<String> = text(path)?.lines()?.filter { it.isNotEmpty() }.orEmpty()

    /** The names in the folder [path]; none where it is not readable here. */
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
